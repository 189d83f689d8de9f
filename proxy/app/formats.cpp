#include "proxy/app/formats.hpp"

#include "proxy/app/case_counts.hpp"
#include "proxy/app/formats_table.hpp"
#include "proxy/app/standard_streams.hpp"
#include "proxy/config/formats_file.hpp"

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace proxy::app {

namespace {

void count_file(const std::string& path, const scaffold::catalog& formats,
                const std::vector<std::string>& tools, case_counts& counts) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream lines;
    if (!file || !(lines << file.rdbuf())) {
        throw std::runtime_error("can't be read, or is empty");
    }
    count_cases(lines.str(), formats, tools, counts);
}

} // namespace

int run_formats(const command& options) {
    const scaffold::catalog formats = config::built_in_catalog();
    case_counts counts;
    for (const std::string& path : options.case_files) {
        try {
            count_file(path, formats, options.tools, counts);
        } catch (const std::runtime_error& error) {
            std::fprintf(stderr, "unscaffold: --cases %s: %s\n", path.c_str(), error.what());
            return 2;
        }
    }
    const case_counts* shown = options.case_files.empty() ? nullptr : &counts;
    const std::string table =
        options.markdown ? formats_markdown(formats, shown) : formats_table(formats, shown);
    return write_output(table) ? 0 : 1;
}

} // namespace proxy::app
