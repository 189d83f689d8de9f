// Conditions on the correction request, read with a JSON library of its own.
#pragma once

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace tests::replay {

/// Adds to `wrong` what of `conditions` does not hold for `second`, the correction made from the
/// client's body `first`.
void check_correction(const std::string& first, const std::string& second,
                      const boost::json::object& conditions, std::vector<std::string>& wrong);

} // namespace tests::replay
