#include "proxy/turn/recovery.hpp"

#include "proxy/base/ensure.hpp"

namespace proxy::turn {

scaffold::context context_of(const chat::request_view& request, const turn_settings& settings) {
    scaffold::context context;
    context.tools = chat::tools_in_context(request);
    context.json_answer = request.json_answer;
    context.sentinels_only = settings.legacy_completions;
    context.names = request.tool_names;
    return context;
}

recovery::recovery(const turn_settings& settings, const chat::request_view& request,
                   std::string_view body) {
    if (!request.correctable || !settings.recovery_enabled || settings.legacy_completions) {
        return;
    }
    correction_options options;
    options.max_tokens = settings.recovery_max_tokens;
    options.model = settings.recovery_model;
    options.flatten_tool_history = settings.flatten_tool_history;
    kept_ = std::make_unique<kept>(kept{request, body, options, settings.gate});
    switch (settings.recovery_empty) {
    case empty_mode::off:
        break;
    case empty_mode::no_tools:
        empty_counts_ = !request.declares_tools && !request.last_message_is_tool;
        break;
    case empty_mode::always:
        empty_counts_ = !request.last_message_is_tool;
        break;
    }
}

verdict recovery::judge(attempt_facts facts, report& to) const {
    facts.may_correct = wants_body();
    const verdict wanted = decide(facts);
    if (wanted != verdict::correct || kept_->gate == nullptr || kept_->gate->allows()) {
        return wanted;
    }
    to.budget_spent = true;
    facts.may_correct = false;
    return decide(facts);
}

std::string recovery::body(correction_reason reason) const {
    PROXY_ENSURE(kept_ != nullptr);
    correction_options options = kept_->options;
    options.reason = reason;
    return build_correction(kept_->body, kept_->request, options);
}

} // namespace proxy::turn
