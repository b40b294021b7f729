// SPDX-License-Identifier: Apache-2.0
// The laws of data/rules: what every rule file has to keep to, and every example in them.
#include <gtest/gtest.h>

#include <set>

#include "base/json.h"
#include "base/text.h"
#include "diagnose/checks.h"
#include "diagnose/rules_for_tests.h"

namespace kernelfit::tests {
namespace {

// Cause slugs that other programs know (the names of the handed cases). A rule that is none of them
// is new and stands in kNewNames, so that a typing error is not taken for a new cause.
const std::set<std::string_view> kKnownNames = {
    "wheel-arch-missing-newer-gpu",
    "wheel-arch-missing-older-gpu",
    "wheel-arch-missing-jetson",
    "wheel-runs-by-ptx-jit-slow",
    "gpu-too-old-for-any-wheel",
    "warning-harmless",
    "no-gpu-problem",
    "ext-arch-missing",
    "mixed-gpu-lowest-arch",
    "mixed-gpu-old-card-visible",
    "feature-needs-newer-gpu",
    "gpu-needs-older-cuda-build",
    "nvrtc-too-old-for-arch",
    "nvrtc-dropped-arch",
    "app-gate",
    "driver-too-old-for-cuda-build",
    "driver-too-old-for-ptx",
    "driver-too-old-for-feature",
    "forward-compat-unsupported-gpu",
    "driver-branch-dropped-gpu",
    "driver-lib-mismatch-reboot",
    "driver-lib-mismatch",
    "driver-not-loaded",
    "driver-module-not-built-for-kernel",
    "secure-boot-unsigned-module",
    "other-kernel-driver-bound",
    "open-kernel-module-unsupported",
    "gpu-init-failed-bios-bar",
    "fabric-manager-not-running",
    "uvm-state-after-suspend",
    "uvm-device-nodes-missing",
    "exclusive-process-mode",
    "vgpu-unlicensed",
    "vgpu-guest-restriction",
    "hardware-fault",
    "no-nvidia-gpu",
    "other-vendor-cuda-stack",
    "foreign-libcuda-loaded",
    "stub-libcuda-loaded",
    "libcuda-link-missing",
    "container-without-gpu",
    "container-toolkit-missing",
    "container-driver-capabilities",
    "container-lost-gpu-cgroup",
    "container-shm-too-small",
    "driver-libs-installed-in-container",
    "wsl-linux-driver-installed",
    "wsl-no-driver-visible",
    "wsl-windows-too-old",
    "wsl-libcuda-path",
    "wsl-tcc-mode",
    "cuda-visible-devices-excludes-all",
    "visible-devices-wrong-variable",
    "device-index-out-of-range",
    "scheduler-no-gpu-allocated",
    "mig-one-instance-per-process",
    "cpu-only-torch-build",
    "conda-cpuonly-resolved",
    "wrong-python-environment",
    "user-site-shadowing",
    "local-dir-shadowing",
    "cpu-gpu-package-conflict",
    "torch-vision-mismatch",
    "mixed-cuda-builds",
    "no-wheel-for-python",
    "index-url-missing",
    "index-incomplete",
    "glibc-too-old",
    "jetson-wheel-jetpack-mismatch",
    "numpy-openblas-cpu-detect",
    "release-bug",
    "foreign-cuda-libs-on-ld-path",
    "duplicate-nvidia-wheels",
    "mkl-too-new",
    "ext-built-for-other-torch",
    "ext-built-for-other-cuda",
    "ext-native-lib-missing",
    "nvcc-torch-cuda-mismatch",
    "nvcc-too-old-for-arch",
    "nvcc-dropped-arch",
    "ptxas-too-old-for-arch",
    "host-compiler-too-new",
    "cuda-home-wrong",
    "cuda-toolkit-missing-for-build",
    "cuda-libs-not-on-ld-path",
    "cudnn-missing",
    "cudnn-version-conflict",
    "cudnn-dropped-gpu",
    "libnvrtc-unversioned-missing",
    "nvidia-wheels-not-beside-torch",
    "nccl-built-for-other-cuda",
    "p2p-blocked-by-iommu-acs",
    "p2p-unsupported-gpu",
    "oom-true",
    "oom-fragmentation",
    "oom-other-process",
    "oom-inconsistent",
    "oom-masked",
    "program-index-error",
    "program-cuda-after-fork",
    "program-hardcodes-cuda",
    "program-device-not-set",
    "display-watchdog-timeout",
    "os-feature-unsupported",
    "insufficient-information",
};
const std::set<std::string_view> kNewNames = {
    "driver-too-old-for-gpu",    "nvidia-library-arch-missing",
    "torch-linalg-without-code", "package-damaged",
    "torch-installed-twice",     "torch-not-for-python",
    "mixed-gpu-module-flavors",  "visible-card-uncertain",
    "mig-without-instance",      "musl-system",
};

const std::set<std::string_view> kActionKinds = {
    "install-build",  "install-package", "remove-package",    "update-driver",  "downgrade-driver",
    "repair-driver",  "install-toolkit", "rebuild-component", "change-python",  "set-env",
    "change-code",    "restart",         "container-option",  "system-setting", "use-cpu",
    "other-hardware", "nothing",
};
const std::set<std::string_view> kScopes = {"machine", "gpu", "environment", "library", "verdict"};

const std::set<std::string>& names_of(const std::string& scope) {
  static std::map<std::string, std::set<std::string>> kNames;
  auto& names = kNames[scope];
  if (names.empty()) {
    auto all = vocabulary(scope);
    names = {all.begin(), all.end()};
  }
  return names;
}

std::set<std::string> as_set(const std::vector<std::string>& list) {
  return {list.begin(), list.end()};
}

// Everything of a rule that is filled in, per language.
std::vector<std::string> texts_of(const RuleText& text) {
  std::vector<std::string> out = {text.title, text.why};
  for (const auto& [id, fix] : text.fixes) out.push_back(fix);
  for (const auto& line : text.avoid) out.push_back(line);
  return out;
}

TEST(RuleLaws, AllLoad) {
  EXPECT_GE(rules().size(), 50u);
}

TEST(RuleLaws, CodesAndNamesAreOneEach) {
  std::set<std::string> codes, names;
  for (const auto& rule : rules()) {
    SCOPED_TRACE(rule.path);
    EXPECT_TRUE(codes.insert(rule.code).second);
    EXPECT_TRUE(names.insert(rule.name).second);
    EXPECT_EQ(rule.path, "rules/" + rule.code + "-" + rule.name + ".md");
    EXPECT_EQ(rule.code.size(), 6u);
    EXPECT_TRUE(contains("1234567 9", rule.code.substr(2, 1)));
    EXPECT_NE(kKnownNames.contains(rule.name), kNewNames.contains(rule.name)) << rule.name;
    EXPECT_TRUE(kScopes.contains(rule.scope)) << rule.scope;
    EXPECT_FALSE(rule.since.empty());
    EXPECT_FALSE(rule.when.empty());
  }
}

TEST(RuleLaws, EveryLanguageIsWhole) {
  auto spoken = as_set(languages());
  for (const auto& rule : rules()) {
    SCOPED_TRACE(rule.path);
    for (const auto& language : spoken) {
      SCOPED_TRACE(language);
      ASSERT_TRUE(rule.texts.contains(language));
      const RuleText& text = rule.texts.at(language);
      EXPECT_FALSE(text.title.empty());
      EXPECT_FALSE(contains(text.title, "\n")) << "a title is one line";
      EXPECT_TRUE(placeholders(text.short_title + text.short_why).empty());
      EXPECT_FALSE(text.why.empty());
      for (const auto& fix : rule.fixes) {
        EXPECT_TRUE(text.fixes.contains(fix.id)) << "no text for fix " << fix.id;
      }
      EXPECT_EQ(text.avoid.size(), rule.texts.at("en").avoid.size());
      EXPECT_EQ(lines_of(text.why).size(), lines_of(rule.texts.at("en").why).size());
    }
    EXPECT_EQ(rule.texts.size(), spoken.size());
  }
}

TEST(RuleLaws, LanguagesAskForTheSameValues) {
  for (const auto& rule : rules()) {
    SCOPED_TRACE(rule.path);
    auto english = texts_of(rule.texts.at("en"));
    for (const auto& [language, text] : rule.texts) {
      auto other = texts_of(text);
      ASSERT_EQ(other.size(), english.size());
      for (std::size_t i = 0; i < other.size(); ++i) {
        EXPECT_EQ(as_set(placeholders(other[i])), as_set(placeholders(english[i])))
            << language << ": " << other[i];
      }
    }
  }
}

TEST(RuleLaws, TheVoiceIsCalm) {
  for (const auto& rule : rules()) {
    for (const auto& [language, text] : rule.texts) {
      for (const auto& line : texts_of(text)) {
        SCOPED_TRACE(rule.path + ": " + line);
        EXPECT_FALSE(contains(line, "!") && !contains(line, "_OS"));
        EXPECT_FALSE(contains(line, "！"));
        EXPECT_FALSE(contains(lower(line), "please"));
        EXPECT_FALSE(contains(replace_all(line, "申请", ""), "请"));
        EXPECT_FALSE(contains(lower(line), "sorry"));
      }
      EXPECT_FALSE(text.title.ends_with('.') || text.title.ends_with("。")) << rule.path;
    }
  }
}

TEST(RuleLaws, EveryNameIsAFactOfItsScope) {
  for (const auto& rule : rules()) {
    SCOPED_TRACE(rule.path);
    const auto& names = names_of(rule.scope);
    auto known = [&](const std::string& name) {
      EXPECT_TRUE(names.contains(name)) << name << " is no fact of scope " << rule.scope;
    };
    for (const auto& name : rule.condition.names()) known(name);
    for (const auto& name : rule.paste_condition.names()) {
      EXPECT_TRUE(names_of("machine").contains(name)) << name << " is no fact of a paste";
    }
    for (const auto& evidence : rule.evidence) known(evidence.fact);
    for (const auto& fix : rule.fixes) {
      for (const auto& name : fix.condition.names()) known(name);
      for (const auto& name : placeholders(fix.target)) known(name);
      for (const auto& line : fix.commands) {
        for (const auto& name : placeholders(line)) known(name);
      }
    }
    for (const auto& [language, text] : rule.texts) {
      for (const auto& line : texts_of(text)) {
        for (const auto& name : placeholders(line)) known(name);
      }
    }
    for (const auto& example : rule.examples) {
      for (const auto& name : example.facts.names()) known(name);
    }
  }
}

TEST(RuleLaws, ActionsAreTheContracts) {
  for (const auto& rule : rules()) {
    std::set<std::string> ids;
    for (const auto& fix : rule.fixes) {
      SCOPED_TRACE(rule.path + ": " + fix.id);
      EXPECT_TRUE(kActionKinds.contains(fix.kind)) << fix.kind;
      EXPECT_TRUE(ids.insert(fix.id).second) << "named twice";
      for (const auto& line : fix.commands) {
        EXPECT_FALSE(line.starts_with("$")) << "no prompt sign";
      }
    }
    EXPECT_FALSE(rule.fixes.empty()) << rule.path;
  }
}

// What a shell has on such a list of folders other programs need.
TEST(RuleLaws, AListOfFoldersIsExtendedOrTakenFrom) {
  std::vector<std::string> commands;
  for (const auto& rule : rules()) {
    for (const auto& fix : rule.fixes) {
      commands.insert(commands.end(), fix.commands.begin(), fix.commands.end());
    }
  }
  std::size_t seen = 0;
  for (const auto& line : commands) {
    for (const std::string name : {"LD_LIBRARY_PATH", "PATH", "PYTHONPATH"}) {
      if (!line.starts_with("export " + name + "=")) continue;
      ++seen;
      EXPECT_TRUE(contains(line, "$" + name)) << line;
    }
  }
  EXPECT_GE(seen, 3u);
}

TEST(RuleLaws, SourcesResolve) {
  auto tables = parse_toml(knowledge().file("sources.toml"));
  auto own = parse_toml(knowledge().file("rules/sources.toml"));
  ASSERT_TRUE(tables && own);
  std::set<std::string> used;
  for (const auto& rule : rules()) {
    EXPECT_FALSE(rule.sources.empty()) << rule.path;
    for (const auto& id : rule.sources) {
      EXPECT_TRUE(tables->at(id).is_object() || own->at(id).is_object()) << rule.path << ": " << id;
      used.insert(id);
    }
  }
  for (const auto& [id, entry] : own->members()) {
    EXPECT_TRUE(used.contains(id)) << "rules/sources.toml: nothing rests on " << id;
    EXPECT_FALSE(entry.at("title").string().empty()) << id;
  }
}

TEST(RuleLaws, EvidenceHasALabelInEveryLanguage) {
  for (const auto& language : languages()) {
    Catalogue say = load_catalogue(language);
    for (const auto& rule : rules()) {
      for (const auto& [what, name, or_absent] : rule.evidence) {
        EXPECT_TRUE(say.has("diagnose.evidence." + what)) << language << ": " << what;
      }
    }
  }
}

TEST(RuleLaws, HiddenNamesExistAndNoTwoHideEachOther) {
  for (const auto& rule : rules()) {
    for (const auto& name : rule.hides) {
      SCOPED_TRACE(rule.path + ": " + name);
      const Rule* other = find_rule(rules(), name);
      ASSERT_NE(other, nullptr);
      auto back = as_set(other->hides);
      EXPECT_FALSE(back.contains(rule.name)) << "they hide each other";
    }
  }
}

TEST(RuleLaws, ChecksAreOnBothSides) {
  std::set<std::string> used;
  for (const auto& rule : rules()) {
    if (rule.check.empty()) continue;
    EXPECT_NE(find_check(rule.check), nullptr) << rule.path << ": " << rule.check;
    used.insert(rule.check);
  }
  for (const auto& check : checks()) {
    EXPECT_TRUE(used.contains(std::string(check.name))) << check.name << ": no rule asks it";
  }
}

bool has_all(const Facts& facts, std::string_view pattern) {
  const auto names = placeholders(pattern);
  return std::all_of(names.begin(), names.end(),
                     [&](const auto& name) { return facts.at(name).has(); });
}

// A full title and a reason of which at least one line can be said.
void expect_said(const RuleText& text, const Facts& facts) {
  EXPECT_TRUE(has_all(facts, text.title) || !text.short_title.empty()) << text.title;
  const auto lines = lines_of(text.why);
  EXPECT_TRUE(!text.short_why.empty() ||
              std::any_of(lines.begin(), lines.end(),
                          [&](std::string_view line) { return has_all(facts, line); }))
      << "no line of the reason can be said";
}

// What "Speaks" and "Stays silent" promise.
TEST(RuleLaws, ExamplesHold) {
  for (const auto& rule : rules()) {
    bool speaks = false, silent = false;
    for (const auto& example : rule.examples) {
      SCOPED_TRACE(rule.path + ": " + example.title);
      EXPECT_EQ(kernelfit::speaks(rule, example.facts), example.speaks);
      (example.speaks ? speaks : silent) = true;
      if (!example.speaks) continue;
      for (const auto& [language, text] : rule.texts) {
        SCOPED_TRACE(language);
        expect_said(text, example.facts);
      }
    }
    EXPECT_TRUE(speaks) << rule.path << ": no example under Speaks";
    EXPECT_TRUE(silent) << rule.path << ": no example under Stays silent";
  }
}

// Knowing nothing, a rule says nothing.
TEST(RuleLaws, UnknownMakesNoRuleSpeak) {
  for (const auto& rule : rules()) {
    EXPECT_FALSE(speaks(rule, Facts())) << rule.path;
  }
}

// No rule speaks on the examples that another one gives for itself, unless one of them hides the
// other: each cause has one name.
TEST(RuleLaws, ExamplesBelongToOneRule) {
  for (const auto& rule : rules()) {
    for (const auto& example : rule.examples) {
      if (!example.speaks) continue;
      for (const auto& other : rules()) {
        // Said where nothing else is: diagnose() drops it beside any other.
        if (other.name == "insufficient-information") continue;
        if (&other == &rule || !speaks(other, example.facts)) continue;
        bool said =
            as_set(rule.hides).contains(other.name) || as_set(other.hides).contains(rule.name);
        EXPECT_TRUE(said) << rule.path << ": " << example.title << ": " << other.name
                          << " speaks as well";
      }
    }
  }
}

// CODES.md, "must not": these causes are never answered with an action of that kind.
TEST(RuleLaws, NoHarmfulAdvice) {
  const std::pair<std::string_view, std::vector<std::string_view>> kNever[] = {
      {"no-nvidia-gpu", {"install-build", "update-driver", "repair-driver", "install-toolkit"}},
      {"gpu-too-old-for-any-wheel",
       {"install-build", "install-package", "update-driver", "downgrade-driver", "repair-driver",
        "install-toolkit", "rebuild-component"}},
      {"hardware-fault",
       {"install-build", "install-package", "update-driver", "repair-driver", "install-toolkit"}},
      {"driver-branch-dropped-gpu", {"update-driver", "install-build", "install-toolkit"}},
      {"driver-lib-mismatch-reboot", {"install-build", "install-package"}},
      {"driver-lib-mismatch", {"install-build", "install-package"}},
      {"driver-not-loaded", {"install-toolkit", "install-build"}},
      {"secure-boot-unsigned-module", {"update-driver", "downgrade-driver"}},
      {"exclusive-process-mode", {"repair-driver", "update-driver"}},
      {"stub-libcuda-loaded", {"repair-driver", "update-driver"}},
      {"foreign-libcuda-loaded", {"restart"}},
      {"libcuda-link-missing", {"install-toolkit"}},
      {"container-without-gpu", {"repair-driver", "update-driver", "install-toolkit"}},
      {"wsl-libcuda-path", {"repair-driver", "update-driver"}},
      {"wsl-tcc-mode", {"repair-driver", "update-driver"}},
      {"cuda-visible-devices-excludes-all", {"install-build", "install-package"}},
      {"scheduler-no-gpu-allocated", {"repair-driver", "update-driver"}},
      {"local-dir-shadowing", {"install-build", "install-package"}},
      {"ext-arch-missing", {"install-build", "update-driver"}},
      {"mixed-gpu-old-card-visible", {"rebuild-component", "install-build"}},
      {"duplicate-nvidia-wheels", {"update-driver", "repair-driver"}},
      {"cpu-gpu-package-conflict", {"update-driver", "repair-driver"}},
      {"foreign-cuda-libs-on-ld-path", {"install-build"}},
      {"os-feature-unsupported", {"install-build", "update-driver", "repair-driver"}},
      {"driver-libs-installed-in-container", {"update-driver"}},
  };
  for (const auto& [name, kinds] : kNever) {
    const Rule* rule = find_rule(rules(), name);
    ASSERT_NE(rule, nullptr) << name;
    for (const auto& fix : rule->fixes) {
      bool never = std::find(kinds.begin(), kinds.end(), fix.kind) != kinds.end();
      EXPECT_FALSE(never) << name << ": fix " << fix.id << " is " << fix.kind;
    }
  }
}

}  // namespace
}  // namespace kernelfit::tests
