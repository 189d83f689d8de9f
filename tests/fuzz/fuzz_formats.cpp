// Any text as a formats file: it is read or refused with file and line, and what is read compiles
// or is refused.

#include "proxy/config/formats_file.hpp"
#include "proxy/scaffold/catalog.hpp"
#include "proxy/scaffold/choice_filter.hpp"

#include "tests/fuzz/expect.hpp"

#include <stdexcept>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = tests::as_text(data, size);
    try {
        const proxy::scaffold::catalog formats(proxy::config::parse_formats(text, "f.yaml"));
        FUZZ_EXPECT(!formats.formats().empty());
        const proxy::scaffold::context ctx;
        proxy::scaffold::choice_filter filter(formats, ctx);
        proxy::scaffold::decisions out;
        filter.feed(text, out);
        filter.finish(out);
        FUZZ_EXPECT(filter.held() == 0);
    } catch (const proxy::config::config_error& error) {
        FUZZ_EXPECT(std::string(error.what()).starts_with("f.yaml:"));
    } catch (const std::invalid_argument& error) {
        FUZZ_EXPECT(*error.what() != '\0');
    }
    return 0;
}
