# Writes INPUT as a C++ string constant to OUTPUT.
file(READ ${INPUT} text HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${text}")
file(WRITE ${OUTPUT}
"#include \"proxy/config/formats_file.hpp\"
namespace proxy::config {
namespace {
const unsigned char bytes[] = {${bytes}0};
}
std::string_view embedded_formats() {
    return {reinterpret_cast<const char*>(bytes), sizeof(bytes) - 1};
}
} // namespace proxy::config
")
