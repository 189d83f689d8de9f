#include "proxy/turn/shadow.hpp"

#include "proxy/base/free_memory.hpp"

namespace proxy::turn {

namespace {

shadow_verdict verdict_of(const report& facts, bool corrects) {
    if (corrects) {
        return shadow_verdict::correct;
    }
    if (facts.outcome == outcome::failed) {
        return shadow_verdict::fail;
    }
    return facts.spans > 0 ? shadow_verdict::sanitize : shadow_verdict::clean;
}

} // namespace

shadow::shadow(const turn_settings& settings, const scaffold::catalog& formats, workspace& work,
               std::string_view body, form answer, std::size_t json_bytes_max)
    : stream_(settings, formats, work, chat::read_request(body), body),
      json_(settings, formats, chat::read_request(body), body), json_bytes_max_(json_bytes_max),
      form_(answer) {}

void shadow::take(std::string_view bytes) {
    if (form_ == form::undecided && !bytes.empty()) {
        form_ = bytes.front() == '{' ? form::json : form::stream;
    }
    if (form_ == form::json) {
        return take_json(bytes);
    }
    obey(stream_.push(bytes, thrown_away_));
}

void shadow::take_json(std::string_view bytes) {
    unseen_ = unseen_ || collected_.size() + bytes.size() > json_bytes_max_;
    if (unseen_) {
        base::free_memory(collected_);
    } else {
        collected_.append(bytes);
    }
}

void shadow::end(upstream_end how) {
    if (form_ != form::json) {
        return obey(stream_.end(how, thrown_away_));
    }
    if (how == upstream_end::whole && !unseen_) {
        std::string thrown_away;
        obey(json_.take(collected_, thrown_away));
    }
    base::free_memory(collected_);
}

// A correction is not made: it counts as one that was refused, so that the turn is over.
void shadow::obey(action next) {
    thrown_away_.clear();
    if (next != action::correct) {
        return;
    }
    corrects_ = true;
    if (form_ == form::json) {
        std::string thrown_away;
        json_.second_refused({}, thrown_away);
    } else {
        stream_.second_refused({}, thrown_away_);
        thrown_away_.clear();
    }
}

void shadow::cancelled() {
    stream_.cancelled();
    json_.cancelled();
}

report shadow::facts() const {
    report out = form_ == form::json ? json_.facts() : stream_.facts();
    if (unseen_) {
        out.outcome = outcome::passed;
        return out;
    }
    out.would = verdict_of(out, corrects_);
    out.corrections = 0;
    if (out.outcome != outcome::error && out.outcome != outcome::cancelled) {
        out.outcome = outcome::passed;
        out.error_code.clear();
    }
    return out;
}

} // namespace proxy::turn
