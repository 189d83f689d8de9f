# Lines of `key=value` words to CSV, or with -v json=1 to a JSON array of objects.
{
    names = ""
    values = ""
    for (i = 1; i <= NF; ++i) {
        at = index($i, "=")
        name = substr($i, 1, at - 1)
        value = substr($i, at + 1)
        if (json) {
            number = value ~ /^-?[0-9]+(\.[0-9]+)?$/
            values = values (i > 1 ? "," : "") "\"" name "\":" \
                (number ? value : value == "-" ? "null" : "\"" value "\"")
        } else {
            names = names (i > 1 ? "," : "") name
            values = values (i > 1 ? "," : "") (value == "-" ? "" : value)
        }
    }
    # Without a proxy there is no process to measure, so rows may lack columns.
    if (json) {
        printf "%s{%s}", (NR > 1 ? ",\n " : "["), values
    } else {
        if (names != last_names) {
            print names
        }
        last_names = names
        print values
    }
}
END {
    if (json) {
        print "]"
    }
}
