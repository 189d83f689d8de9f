# Two outputs of callgrind_annotate: what the second has more, divided by `frames`, for each function.
/^ *[0-9,]+ \(/ {
    count = $1
    gsub(",", "", count)
    sub(/^ *[0-9,]+ \( *[0-9.]+%\) +/, "")
    sub(/ \[[^]]*\]$/, "")
    sub(/^[^:]*:/, "") # the file; unknown in a Release build
    gsub(/std::basic_string_view<char, std::char_traits<char> >/, "string_view")
    name = $0
    if (name ~ /PROGRAM TOTALS$/) {
        name = "in all"
    }
    sum[name] += FNR == NR ? -count : count
}
END {
    for (name in sum) {
        if (sum[name] / frames >= 1) {
            printf "%7.0f %s\n", sum[name] / frames, substr(name, 1, 110)
        }
    }
}
