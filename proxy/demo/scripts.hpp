// The built-in scripts by theme; built_in_scripts() joins them.
#pragma once

#include "proxy/demo/script.hpp"

#include <string_view>
#include <vector>

namespace proxy::demo {

std::vector<script> ordinary_scripts(); ///< answers without markup, or with quoted markup
std::vector<script> leak_scripts();     ///< markup in the text, one script for each dialect
std::vector<script> fault_scripts();    ///< what goes wrong between servers

/// The text around the markup of every `leak-…` script, and the answer to a correction.
inline constexpr std::string_view leak_before = "Let me check the tide table. ";
inline constexpr std::string_view leak_after = "High water at Brest is at 06:10.";
inline constexpr std::string_view corrected_text = "High water at Brest is at 06:10 today.";

} // namespace proxy::demo
