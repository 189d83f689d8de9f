# Lines of `key=value` words, one a run, to a table: for each scenario and target the minimum, median
# and maximum over the rounds, and the ratio to nginx in the same round.
function quantiles(kind, scenario, target,    n, i, j, x, sorted) {
    n = 0
    for (i = 1; i <= rounds; ++i) {
        x = value(kind, scenario, target, i)
        if (x == "") {
            continue
        }
        for (j = n; j > 0 && sorted[j] > x; --j) {
            sorted[j + 1] = sorted[j]
        }
        sorted[j + 1] = x + 0
        ++n
    }
    if (n == 0) {
        return "-"
    }
    x = n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
    return number(sorted[1]) " / " number(x) " / " number(sorted[n])
}

function number(x) {
    return sprintf(x >= 100 ? "%.0f" : "%.2f", x)
}

function value(kind, scenario, target, round,    own, base) {
    if (kind != "ratio") {
        own = seen[scenario, target, round, kind]
        return own == "-" || own == "" ? "" : own + 0
    }
    own = seen[scenario, target, round, "cpu_us_per_frame"]
    base = seen[scenario, "nginx", round, "cpu_us_per_frame"]
    return own == "" || base + 0 == 0 ? "" : own / base
}

function sum(kind, scenario, target,    i, total) {
    for (i = 1; i <= rounds; ++i) {
        total += seen[scenario, target, i, kind]
    }
    return total + 0
}

{
    delete word
    for (i = 1; i <= NF; ++i) {
        at = index($i, "=")
        word[substr($i, 1, at - 1)] = substr($i, at + 1)
    }
    for (key in word) {
        seen[word["scenario"], word["target"], word["round"], key] = word[key]
    }
    if (word["round"] > rounds) {
        rounds = word["round"] + 0
    }
    if (!((word["scenario"]) in known_scenario)) {
        known_scenario[word["scenario"]] = 1
        scenarios[++scenario_count] = word["scenario"]
    }
    if (!((word["target"]) in known_target)) {
        known_target[word["target"]] = 1
        targets[++target_count] = word["target"]
    }
}

END {
    kinds = "cpu_us_per_frame user_us_per_frame system_us_per_frame ratio core_share " \
        "frames_per_read events_per_s delay_us_p50 delay_us_p99 first_token_us_p50 first_token_us_p99"
    kind_count = split(kinds, kind, " ")
    for (s = 1; s <= scenario_count; ++s) {
        printf "\n%-20s", scenarios[s]
        for (t = 1; t <= target_count; ++t) {
            printf " %26s", targets[t]
        }
        print "   (min / median / max of " rounds " rounds)"
        for (k = 1; k <= kind_count; ++k) {
            printf "%-20s", kind[k] == "ratio" ? "  ratio to nginx" : kind[k]
            for (t = 1; t <= target_count; ++t) {
                skip = targets[t] == "direct" && kind[k] ~ /cpu|user|system|ratio|core/
                printf " %26s", skip ? "-" : quantiles(kind[k], scenarios[s], targets[t])
            }
            print ""
        }
        printf "%-20s", "texts right/wrong"
        for (t = 1; t <= target_count; ++t) {
            bad = sum("text_mismatches", scenarios[s], targets[t])
            printf " %26s", sum("streams_complete", scenarios[s], targets[t]) " / " bad
        }
        printf "\n%-20s", "errors"
        for (t = 1; t <= target_count; ++t) {
            printf " %26s", sum("failed", scenarios[s], targets[t]) + \
                sum("cut_short", scenarios[s], targets[t]) + \
                sum("error_events", scenarios[s], targets[t])
        }
        print ""
    }
    print "\nsystem calls per frame, 20 streams of 100 frames a second:"
    while ((getline line < calls) > 0) {
        split(line, part, " ")
        text[part[1]] = text[part[1]] (part[2] == "total" ? "" : "  " part[2] " " part[3])
        if (part[2] == "total") {
            total[part[1]] = part[3]
        }
    }
    for (t = 1; t <= target_count; ++t) {
        if (targets[t] in text) {
            printf "%-20s %s =%s\n", targets[t], total[targets[t]], text[targets[t]]
        }
    }
}
