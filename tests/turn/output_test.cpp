#include "proxy/turn/output.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using proxy::turn::output;

BOOST_AUTO_TEST_SUITE(output_pieces)

BOOST_AUTO_TEST_CASE(neighbouring_views_become_one_piece) {
    const std::string read = "data: 1\n\ndata: 2\n\ndata: 3\n\n";
    output out;
    out.pass(std::string_view(read).substr(0, 9));
    out.pass(std::string_view(read).substr(9, 9));
    BOOST_CHECK_EQUAL(out.pieces(), 1U);
    BOOST_CHECK_EQUAL(out.piece(0).data(), read.data());
    out.pass(std::string_view(read).substr(20));
    BOOST_CHECK_EQUAL(out.pieces(), 2U);
    BOOST_CHECK_EQUAL(out.bytes(), read.size() - 2);
}

BOOST_AUTO_TEST_CASE(own_bytes_stand_in_order_between_views) {
    const std::string read = "aabb";
    output out;
    out.pass(std::string_view(read).substr(0, 2));
    out.own("X");
    const std::size_t mark = out.arena().size();
    out.arena() += "YZ";
    out.own_since(mark);
    out.pass(std::string_view(read).substr(2));
    BOOST_CHECK_EQUAL(out.str(), "aaXYZbb");
    BOOST_CHECK_EQUAL(out.pieces(), 3U);
}

BOOST_AUTO_TEST_CASE(pieces_stay_right_when_the_arena_grows) {
    output out;
    std::string all;
    for (int i = 0; i < 1000; ++i) {
        const std::string text = "piece " + std::to_string(i) + ";";
        out.own(text);
        out.pass("|");
        all += text + "|";
    }
    BOOST_CHECK_EQUAL(out.str(), all);
    BOOST_CHECK_EQUAL(out.bytes(), all.size());
}

BOOST_AUTO_TEST_CASE(empty_pieces_are_none) {
    output out;
    out.pass("");
    out.own("");
    out.own_since(out.arena().size());
    BOOST_CHECK(out.empty());
}

BOOST_AUTO_TEST_CASE(clear_gives_a_large_arena_back) {
    output out;
    out.own(std::string(1 << 20, 'x'));
    out.clear();
    BOOST_CHECK(out.empty());
    BOOST_CHECK_EQUAL(out.bytes(), 0U);
    BOOST_CHECK_LT(out.arena().capacity(), 1U << 16);
}

BOOST_AUTO_TEST_SUITE_END()
