// SPDX-License-Identifier: Apache-2.0
#include "report/age.h"

#include "base/text.h"

namespace kernelfit {
namespace {

constexpr int kFreshDays = 60;

// Days since 1970-01-01 of a date in the Gregorian calendar (Howard Hinnant, "chrono-compatible
// low-level date algorithms").
std::optional<int> day_number(std::string_view date) {
  auto parts = split(date, '-');
  if (parts.size() != 3) return {};
  auto year = parse_int(parts[0]), month = parse_int(parts[1]), day = parse_int(parts[2]);
  if (!year || !month || !day || *month < 1 || *month > 12 || *day < 1 || *day > 31) return {};
  if (*year < 1970 || *year > 9999) return {};
  int y = static_cast<int>(*year) - (*month <= 2 ? 1 : 0);
  int shifted = static_cast<int>(*month) + (*month > 2 ? -3 : 9);
  int day_of_year = (153 * shifted + 2) / 5 + static_cast<int>(*day) - 1;
  int era = y / 400, year_of_era = y - era * 400;
  int day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

}  // namespace

std::optional<int> days_between(std::string_view from, std::string_view to) {
  auto first = day_number(from), last = day_number(to);
  if (!first || !last) return {};
  return *last - *first;
}

std::vector<Said> age_notes(const Knowledge& knowledge, std::string_view today) {
  const auto days = days_between(knowledge.date(), today);
  if (!days || *days <= kFreshDays) return {};
  return {{"report.note.knowledge-old",
           {{"days", std::to_string(*days)}, {"date", std::string(knowledge.date())}}}};
}

}  // namespace kernelfit
