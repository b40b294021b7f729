// SPDX-License-Identifier: Apache-2.0
// Tokens and passwords: by their own form, or by the name before them. A text of megabytes mostly
// holds nothing to hide: then it is handed on, not copied.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "host/redact.h"
#include "host/text_runs.h"

namespace kernelfit {
namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kEndOfWord = " \t\r\n\"'<>,;&";

// In capital letters or not. `part` is in small ones.
std::size_t find_small(std::string_view text, std::string_view part, std::size_t from = 0) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  const auto rest = text.substr(std::min(from, text.size()));
  const auto found = std::search(rest.begin(), rest.end(), part.begin(), part.end(), same);
  return found == rest.end() && !part.empty() ? text.npos
                                              : static_cast<std::size_t>(found - text.begin());
}

// https://user:password@host/simple -> https://***@host/simple
std::string hide_url_users(std::string whole) {
  if (!contains(whole, "://")) return whole;
  std::string_view text = whole;
  std::string out;
  for (;;) {
    auto at = text.find("://");
    if (at == std::string_view::npos) return out.append(text);
    out.append(text.substr(0, at + 3));
    text.remove_prefix(at + 3);
    auto authority = text.substr(0, text.find_first_of("/?# \t\r\n\"'<>"));
    auto user_end = authority.rfind('@');
    if (user_end == std::string_view::npos) continue;
    out.append(kHidden);
    text.remove_prefix(user_end);
  }
}

// "-----BEGIN RSA PRIVATE KEY-----\n…\n-----END RSA PRIVATE KEY-----"
std::string hide_private_keys(std::string_view text) {
  constexpr std::string_view kHead = "PRIVATE KEY-----";
  if (!contains(text, kHead)) return std::string(text);
  std::string out;
  for (;;) {
    auto head = text.find(kHead);
    if (head == std::string_view::npos) return out.append(text);
    head += kHead.size();
    out.append(text.substr(0, head)).append("\n").append(kHidden).append("\n");
    auto end = text.find("-----END", head);
    if (end == std::string_view::npos) return out;
    auto line_end = std::min(text.find('\n', end), text.size());  // it holds the same words
    out.append(text.substr(end, line_end - end));
    text.remove_prefix(line_end);
  }
}

struct TokenForm {
  std::string_view prefix;
  std::size_t least;        // characters behind the prefix
  bool letters_and_digits;  // and nothing else behind it
};
constexpr TokenForm kTokenForms[] = {
    {"hf_", 16, true},          {"ghp_", 16, true},    {"gho_", 16, true},
    {"ghu_", 16, true},         {"ghs_", 16, true},    {"ghr_", 16, true},
    {"npm_", 30, true},         {"AKIA", 16, true},    {"ASIA", 16, true},
    {"AIza", 30, false},        {"glpat-", 16, false}, {"pypi-Ag", 16, false},
    {"github_pat_", 16, false}, {"sk-", 24, false},    {"xoxb-", 10, false},
    {"xoxp-", 10, false},       {"nvapi-", 16, false}, {"dckr_pat_", 16, false},
};

bool is_token(std::string_view run) {
  for (const auto& form : kTokenForms) {
    if (!run.starts_with(form.prefix)) continue;
    auto rest = run.substr(form.prefix.size());
    if (rest.size() < form.least) continue;
    if (!form.letters_and_digits || std::all_of(rest.begin(), rest.end(), is_alnum)) return true;
  }
  // A JSON web token: three parts of base64 between dots, the first is {"…
  return run.starts_with("eyJ") && run.size() > 40 && split(run, '.').size() >= 3;
}

bool has_token(std::string_view text, bool (*is_part)(char)) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t start = at;
    while (at < text.size() && is_part(text[at])) ++at;
    const auto run = text.substr(start, at - start);
    if (!run.empty() && is_token(run.substr(0, run.find_last_not_of('.') + 1))) return true;
  }
  return false;
}

std::string hide_tokens(std::string text) {
  bool (*is_part)(char) = [](char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.'; };
  if (!has_token(text, is_part)) return text;
  return replace_runs(text, is_part, [](std::string_view run, auto, auto) {
    auto size = run.find_last_not_of('.') + 1;  // a full stop ends a sentence, not a token
    if (!is_token(run.substr(0, size))) return std::string(run);
    return std::string(kHidden).append(run.substr(size));
  });
}

// The word behind each `marker`, where it has `least` characters: "Authorization: Bearer abc…".
std::string hide_behind(std::string whole, std::string_view marker, std::size_t least) {
  const std::string_view text = whole;
  std::string out;
  std::size_t done = 0;
  for (auto at = find_small(text, marker); at != text.npos; at = find_small(text, marker, at + 1)) {
    std::size_t start = at + marker.size();
    std::size_t end = std::min(text.find_first_of(kEndOfWord, start), text.size());
    if (start < done || end - start < least) continue;
    out.append(text.substr(done, start - done)).append(kHidden);
    done = end;
  }
  if (done == 0) return whole;
  return out.append(text.substr(done));
}

// What stands between a name and its value: `="`, `": "`, ` = `; for an option also one space.
std::size_t separator_size(std::string_view behind, bool option, char& quote) {
  std::size_t at = 0;
  auto skip_spaces = [&] {
    while (at < behind.size() && (behind[at] == ' ' || behind[at] == '\t')) ++at;
  };
  auto skip_quote = [&] {
    if (at < behind.size() && (behind[at] == '"' || behind[at] == '\'')) quote = behind[at++];
  };
  skip_quote();  // that closes the name
  quote = 0;
  skip_spaces();
  bool sign = at < behind.size() && (behind[at] == '=' || behind[at] == ':');
  if (sign) ++at;
  if (!sign && !(option && at > 0)) return 0;
  skip_spaces();
  skip_quote();
  return at;
}

// "unexpected token: foo" is prose; a secret after a colon is long, or called a password.
bool may_be_secret(std::string_view name, std::string_view behind, std::string_view value) {
  if (value.empty() || value == kHidden || value.starts_with('$')) return false;
  bool colon = trim(behind).starts_with(':');
  return !colon || value.size() >= 8 || contains(lower(name), "pass");
}

std::string hide_named_values(std::string whole) {
  const std::string_view text = whole;
  auto is_part = [](char c) { return is_alnum(c) || c == '_' || c == '-' || c == '.'; };
  std::string out;
  std::size_t at = 0, done = 0;
  while (at < text.size()) {
    while (at < text.size() && !is_part(text[at])) ++at;
    std::size_t name_at = at;
    while (at < text.size() && is_part(text[at])) ++at;
    auto name = text.substr(name_at, at - name_at), behind = text.substr(at);
    char quote = 0;
    std::size_t gap =
        is_secret_name(name) ? separator_size(behind, name.starts_with("--"), quote) : 0;
    if (gap == 0) continue;
    auto rest = behind.substr(gap);
    auto value = rest.substr(0, quote == 0 ? rest.find_first_of(kEndOfWord) : rest.find(quote));
    if (!may_be_secret(name, behind, value)) continue;
    out.append(text.substr(done, at + gap - done)).append(kHidden);
    at += gap + value.size();
    done = at;
  }
  if (done == 0) return whole;
  return out.append(text.substr(done));
}

}  // namespace

bool is_secret_name(std::string_view name) {
  // Texts of megabytes are full of words: what the rules below look for is in none of them.
  constexpr std::array<std::string_view, 5> kParts = {"pass", "secret", "token", "key",
                                                      "credential"};
  if (std::ranges::all_of(kParts, [&](auto part) { return find_small(name, part) == name.npos; })) {
    return false;
  }
  constexpr std::string_view kWords =
      "password passwd passphrase secret token apikey credential credentials";
  std::string small = lower(name);
  for (std::string_view end : {"password", "token", "secret", "apikey"}) {
    if (small.ends_with(end)) return true;  // accessToken
  }
  std::string spaced = replace_all(replace_all(small, "_", " "), "-", " ");
  spaced = replace_all(std::move(spaced), ".", " ");
  for (auto word : split_words(spaced)) {
    if (contains_word(kWords, word)) return true;
  }
  return contains(spaced, "api key") || contains(spaced, "access key") ||
         contains(spaced, "private key");
}

std::string redact_secrets(std::string_view text) {
  std::string out = hide_url_users(hide_private_keys(text));
  out = hide_behind(std::move(out), "authorization: basic ", 1);
  out = hide_behind(std::move(out), "bearer ", 16);
  return hide_tokens(hide_named_values(std::move(out)));
}

}  // namespace kernelfit
