// SPDX-License-Identifier: Apache-2.0
// What a person sees, on situations made by hand: the laws of docs/voice.md, in both languages.
#include "report/report.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "report/problems.h"

namespace kernelfit {
namespace {

// A GTX 1080 Ti with a torch that holds nothing for it, and an environment that is right.
struct Fake {
  Machine machine;
  Judgement judgement;
  std::vector<Plan> plans;
  Knowledge knowledge = Knowledge::embedded();
  std::vector<Rule> rules;
  std::vector<Finding> findings;

  Fake() {
    machine.system.os = Fact<std::string>::known("linux", "/etc/os-release");
    machine.driver.version =
        Fact<DottedVersion>::known(dotted("580.95.05"), "/proc/driver/nvidia/version");
    machine.driver.cuda_max = Fact<DottedVersion>::known(dotted("13.0"), "driver (NVML)");
    Gpu gpu;
    gpu.index = 0;
    gpu.name = Fact<std::string>::known("GeForce GTX 1080 Ti", "driver (NVML)");
    gpu.memory_mib = Fact<std::int64_t>::known(11264, "driver (NVML)");
    machine.gpus.push_back(gpu);
    Card card;
    card.label = "GeForce GTX 1080 Ti";
    card.capability = Fact<ComputeCapability>::known({6, 1}, "driver (NVML)");
    judgement.cards.push_back(card);
    add_environment("/home/ann/ai/.venv", "3.12.3", "2.13.0+cu130", Verdict::no_code, "file");
    add_environment("/home/ann/miniconda3/envs/sd", "3.10.4", "2.7.1+cu126", Verdict::native,
                    "table");
    plans.resize(3);
    add_rule_and_finding();
  }

  void add_environment(const std::string& path, const char* python, const char* torch,
                       Verdict verdict, const char* basis) {
    Environment environment;
    environment.path = path;
    environment.kind = "venv";
    environment.active = machine.environments.empty();
    environment.python = Fact<DottedVersion>::known(dotted(python), path + "/pyvenv.cfg");
    LibraryVerdict one;
    one.gpu = 0;
    one.environment = static_cast<int>(machine.environments.size());
    one.library = "torch";
    one.version = torch;
    one.verdict = verdict;
    one.basis = basis;
    one.confidence = Confidence::high;
    machine.environments.push_back(environment);
    judgement.verdicts.push_back(one);
  }

  void add_rule_and_finding() {
    Rule rule;
    rule.code = "KF2002";
    rule.name = "wheel-arch-missing-older-gpu";
    rule.texts["en"] = {"this torch holds no code for compute capability {gpu.capability}",
                        "why",
                        {{"other-build", "the same torch from the CUDA 12.6 index"}},
                        {"a newer driver: it adds no code to a wheel"},
                        {},
                        {}};
    rule.texts["zh"] = {"这个 torch 不含计算能力 {gpu.capability} 能运行的代码",
                        "原因",
                        {{"other-build", "同一版本，换 CUDA 12.6 的源"}},
                        {"更新驱动：它不会给 wheel 添代码"},
                        {},
                        {}};
    rules.push_back(rule);
    Finding finding;
    finding.code = rule.code;
    finding.name = rule.name;
    finding.subject = {0, 0, "torch"};
    finding.values = {{"gpu.capability", "6.1"}};
    finding.evidence = {{{"", {{"what", "card"}}}, "6.1", "driver (NVML)"}};
    finding.fixes = {{"other-build",
                      "install-build",
                      "torch 2.13.0+cu126",
                      {"uv pip install --python /home/ann/ai/.venv torch==2.13.0+cu126"},
                      {}}};
    findings.push_back(finding);
  }

  std::string doctor(const Style& style) {
    Situation situation{machine, judgement, plans, knowledge};
    Catalogue say = load_catalogue(style.language);
    DoctorReport report{situation, findings, {}, {}, rules, remarks_of(situation, say)};
    return render_doctor(report, style, say);
  }
};

Style style_of(const std::string& language, int columns = 120) {
  Style style;
  style.language = language;
  style.columns = columns;
  style.home = "/home/ann";
  return style;
}

TEST(Doctor, ShowsCardEnvironmentsFindingAndNextStep) {
  std::string text = Fake().doctor(style_of("en"));
  auto has = [&](const char* part) { return contains(text, part); };
  EXPECT_TRUE(
      text.starts_with("GPU 0   GeForce GTX 1080 Ti   compute capability 6.1   11 GB   "
                       "driver 580.95.05 (up to CUDA 13.0)\n"))
      << text;
  EXPECT_TRUE(has("~/ai/.venv")) << text;
  EXPECT_TRUE(has("Python 3.12   torch 2.13.0+cu130   no   holds no code for this card")) << text;
  EXPECT_TRUE(has("torch 2.7.1+cu126    ok   native")) << text;
  EXPECT_TRUE(has("read from the file")) << text;
  EXPECT_TRUE(has("table, high")) << text;
  EXPECT_TRUE(has("KF2002  ~/ai/.venv: this torch holds no code for compute capability 6.1\n"))
      << text;
  EXPECT_TRUE(has("\n    uv pip install --python /home/ann/ai/.venv torch==2.13.0+cu126\n"))
      << text;
  EXPECT_TRUE(has("next: the command under KF2002\n")) << text;
}

TEST(Doctor, SpeaksChinese) {
  std::string text = Fake().doctor(style_of("zh"));
  for (const char* part : {"计算能力 6.1", "驱动 580.95.05（最高 CUDA 13.0）", "不行", "可以",
                           "从文件读出", "解决", "没用", "下一步："}) {
    EXPECT_TRUE(contains(text, part)) << part << "\n" << text;
  }
}

TEST(Doctor, NoLineIsWiderThanTheTerminalButCommands) {
  for (const char* language : {"en", "zh"}) {
    for (int columns : {80, 120}) {
      std::string text = Fake().doctor(style_of(language, columns));
      for (auto line : lines_of(text)) {
        if (line.starts_with("    uv ")) continue;
        EXPECT_LE(display_width(line), columns) << line;
      }
    }
  }
}

TEST(Doctor, NeverShoutsAndKnowsEveryWord) {
  for (const char* language : {"en", "zh"}) {
    for (Format format : {Format::terminal, Format::markdown, Format::json}) {
      Style style = style_of(language);
      style.format = format;
      std::string text = Fake().doctor(style);
      EXPECT_FALSE(contains(text, "<report.")) << text;
      EXPECT_FALSE(contains(text, "！")) << text;
      EXPECT_FALSE(contains(text, "\x1b")) << text;
    }
  }
}

TEST(Doctor, WithoutUnicodeMarksAreAscii) {
  Style style = style_of("en");
  style.unicode = false;
  for (char c : Fake().doctor(style)) EXPECT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
}

TEST(Doctor, JsonIsWhatTheContractSays) {
  Style style = style_of("en");
  style.format = Format::json;
  auto json = parse_json(Fake().doctor(style));
  ASSERT_TRUE(json);
  const auto& members = json->members();
  EXPECT_EQ(members[0].first, "schema");
  EXPECT_EQ(members[1].first, "kernelfit");
  EXPECT_EQ(members[2].first, "knowledge");
  EXPECT_EQ(json->at("schema").string(), "kernelfit.doctor/1");
  ASSERT_EQ(json->at("verdicts").items().size(), 2u);
  EXPECT_EQ(json->at("verdicts").items()[0].at("verdict").string(), "no-code");
  const Json& finding = json->at("findings").items()[0];
  EXPECT_EQ(finding.at("subject").at("env").string(), "/home/ann/ai/.venv");
  EXPECT_EQ(finding.at("fixes").items()[0].at("rank").integer(), 1);
  EXPECT_EQ(finding.at("fixes").items()[0].at("action").at("kind").string(), "install-build");
  EXPECT_EQ(json->at("incomplete").boolean(true), false);
}

TEST(Doctor, AllWellIsOneSentence) {
  Fake fake;
  fake.findings.clear();
  fake.judgement.verdicts.erase(fake.judgement.verdicts.begin());
  EXPECT_TRUE(fake.doctor(style_of("en")).ends_with("\neverything fits.\n"));
}

// Exit 3 and "everything fits" cannot both be true.
TEST(Doctor, WhatIsOpenKeepsItFromSayingThatEverythingFits) {
  Fake fake;
  fake.findings.clear();
  fake.judgement.verdicts.erase(fake.judgement.verdicts.begin());
  fake.machine.driver.version = Fact<DottedVersion>::unknown("nvidia-smi did not answer in 5 s");
  std::string text = fake.doctor(style_of("en"));
  EXPECT_FALSE(contains(text, "everything fits")) << text;
  EXPECT_TRUE(contains(text, "the driver's version could not be read (nvidia-smi did not")) << text;
  EXPECT_TRUE(contains(text, "what could be read fits")) << text;
}

// docs/contract.md 2: an answer that is not complete says what is missing.
TEST(Doctor, AnIncompleteAnswerSaysWhatIsMissing) {
  Fake fake;
  fake.machine.problems.emplace_back("/etc/os-release: permission denied");
  Style style = style_of("en");
  style.format = Format::json;
  auto json = parse_json(fake.doctor(style));
  ASSERT_TRUE(json);
  EXPECT_TRUE(json->at("incomplete").boolean());
  ASSERT_EQ(json->at("missing").items().size(), 1u);
  EXPECT_TRUE(contains(json->at("missing").items()[0].string(), "permission denied"));
  std::string text = fake.doctor(style_of("en"));
  EXPECT_EQ(text.find("permission denied"), text.rfind("permission denied")) << text;
}

TEST(Doctor, OnlySomeChecksShowNoTableOfAll) {
  Fake fake;
  Catalogue say = load_catalogue("en");
  Situation situation{fake.machine, fake.judgement, fake.plans, fake.knowledge};
  DoctorReport report{situation, {}, {}, {"driver-not-loaded"}, fake.rules, {}};
  std::string text = render_doctor(report, style_of("en"), say);
  EXPECT_FALSE(contains(text, "2.13.0+cu130")) << text;
  EXPECT_TRUE(text.ends_with("none of the checks that were asked for finds anything\n")) << text;
}

// A GPU's name and a folder's, as a driver or a person may have written them.
TEST(Doctor, NamesFromOutsideForgeNoFinding) {
  Fake fake;
  const std::string evil = "x\nKF9999  fake\x1b[31m|`\xe2\x80\xae";
  fake.judgement.cards[0].label = evil;
  fake.machine.environments[0].path = "/home/ann/" + evil;
  fake.machine.problems.push_back(evil + ": denied");
  fake.findings[0].evidence[0].value = evil;
  for (Format format : {Format::terminal, Format::markdown}) {
    Style style = style_of("en");
    style.format = format;
    std::string text = fake.doctor(style);
    EXPECT_FALSE(contains(text, "\nKF9999")) << text;
    EXPECT_FALSE(contains(text, "\x1b")) << text;
    EXPECT_FALSE(contains(text, "\xe2\x80\xae")) << text;
    EXPECT_TRUE(contains(text, "\\nKF9999  fake\\x1b[31m")) << text;
  }
  Style json = style_of("en");
  json.format = Format::json;
  auto object = parse_json(fake.doctor(json));
  ASSERT_TRUE(object);
  EXPECT_EQ(object->at("verdicts").items()[0].at("gpu").string(), evil);  // nothing is lost
}

TEST(Doctor, WithoutAGpuItSaysSo) {
  Fake fake;
  fake.machine.gpus.clear();
  fake.machine.system.pci_devices = Fact<std::int64_t>::known(12, "/sys/bus/pci/devices");
  fake.judgement = {};
  fake.findings.clear();
  std::string text = fake.doctor(style_of("en"));
  EXPECT_TRUE(text.starts_with("no NVIDIA GPU was found\n")) << text;
}

TEST(Doctor, ABusThatCannotBeReadIsNotAMachineWithoutACard) {
  Fake fake;
  fake.machine.gpus.clear();
  fake.machine.system.pci_devices = Fact<std::int64_t>::unknown("permission denied");
  fake.judgement = {};
  fake.findings.clear();
  std::string text = fake.doctor(style_of("en"));
  EXPECT_FALSE(contains(text, "no NVIDIA GPU")) << text;
  EXPECT_TRUE(contains(text, "permission denied")) << text;
}

// What probes tell in English words; the same texts stand in src/probe.
TEST(Problems, AreSaidInTheReadersLanguage) {
  const Catalogue chinese = load_catalogue("zh"), english = load_catalogue("en");
  const std::string slow = "nvidia-smi did not answer in 5 s";
  EXPECT_EQ(report::problem_text(slow, english), slow);
  EXPECT_EQ(report::problem_text(slow, chinese), "nvidia-smi 在 5 秒内没有回应");
  EXPECT_EQ(report::problem_text("NVML crashed", chinese), "NVML 崩溃了");
  const std::string path = "/home/a: b/libtorch_cuda.so";
  EXPECT_EQ(report::problem_text(path + ": is missing", chinese), path + "：文件不见了");
  EXPECT_EQ(report::problem_text("offset 64: magic", chinese), "offset 64: magic");
  EXPECT_EQ(report::problem_text("", chinese), "");
}

TEST(Remarks, AnUnreadFileMakesTheAnswerIncomplete) {
  Fake fake;
  Catalogue say = load_catalogue("en");
  Situation situation{fake.machine, fake.judgement, fake.plans, fake.knowledge};
  EXPECT_FALSE(remarks_of(situation, say).incomplete);
  fake.machine.problems.emplace_back("nvidia-smi did not answer in 5 s");
  EXPECT_TRUE(remarks_of(situation, say).incomplete);
}

TEST(Remarks, ADriverNobodyToldOfIsMissing) {
  Fake fake;
  fake.machine.hypothetical = true;
  fake.machine.driver.version = {};
  Catalogue say = load_catalogue("en");
  auto remarks = remarks_of({fake.machine, fake.judgement, fake.plans, fake.knowledge}, say);
  ASSERT_EQ(remarks.missing.size(), 1u);
  EXPECT_EQ(remarks.missing[0].key, "report.missing.driver-given");
}

// --------------------------------------------------------------------- plan

TEST(Plan, AnAmbiguousCardIsATableOfItsChips) {
  Request request;
  Card card;
  card.label = "GeForce GT 730";
  request.cards.push_back(card);
  Plan plan;
  plan.answer.verdict = PlanVerdict::ask;
  for (auto [chip, id, minor] : {std::tuple{"GK107", "10de:0fc9", 0}, {"GK208", "10de:1287", 5}}) {
    VariantAnswer variant;
    variant.card.chip = chip;
    variant.card.pci_ids = {id};
    variant.card.capability = Fact<ComputeCapability>::known({3, minor}, "table");
    variant.answer.verdict = PlanVerdict::no_build;
    plan.answer.variants.push_back(variant);
  }
  Knowledge knowledge = Knowledge::embedded();
  PlanReport report{request, plan, knowledge, "", {}, {}};
  std::string text = render_plan(report, style_of("en"), load_catalogue("en"));
  EXPECT_TRUE(text.starts_with(
      "GeForce GT 730 is sold with 2 chips of different capability. Which one is it?\n"))
      << text;
  EXPECT_TRUE(contains(text, "10de:1287   GK208   3.5")) << text;
  EXPECT_TRUE(contains(text, "lspci -nn -d 10de:")) << text;
}

// A heading stands over something, and who made a build is said beside its command.
TEST(Plan, EveryCommandOfAVariantOrAnAlternativeSaysWhatItIs) {
  Plan plan;
  CommandBlock third{
      "pip", "sh", {"pip install it"}, {"plan.when.third-party", {{"host", "x.org"}}}};
  CommandBlock driver{"driver", "sh", {}, {"plan.when.driver-any-system", {}}};
  driver.when.values = {{"driver", "470.256.02"}, {"flavor", "proprietary"}};
  VariantAnswer variant;
  variant.card.chip = "GK208";
  variant.answer.choice.emplace();
  plan.answer.verdict = PlanVerdict::ask;
  plan.answer.variants = {variant};
  plan.answer.alternatives.emplace_back();
  plan.alternative_commands = {{third}};
  Plan of_variant;
  of_variant.commands = {driver, third};
  Knowledge knowledge = Knowledge::embedded();
  PlanReport report{{}, plan, knowledge, "", {of_variant}, {}};
  std::string text = render_plan(report, style_of("en"), load_catalogue("en"));
  EXPECT_TRUE(contains(text, "the distribution is not known here")) << text;
  std::size_t named = 0;
  for (auto at = text.find("x.org"); at != std::string::npos; at = text.find("x.org", at + 1))
    ++named;
  EXPECT_EQ(named, 2u) << text;
}

struct Headline {
  Request request;
  Plan plan;
  Knowledge knowledge = Knowledge::embedded();
  std::string text(int columns = 120) const {
    PlanReport report{request, plan, knowledge, "", {}, {}};
    std::string all = render_plan(report, style_of("en", columns), load_catalogue("en"));
    return all.substr(0, all.find('\n'));
  }
};

TEST(Plan, TheFirstLineNamesWhatStandsInTheWay) {
  Headline headline;
  headline.plan.answer.verdict = PlanVerdict::no_build;
  headline.plan.answer.cpu_only = true;
  EXPECT_TRUE(contains(headline.text(), "runs on this card"));
  headline.plan.answer.cause = {"solve.cause.glibc",
                                {{"gpu", "GeForce RTX 5090"}, {"glibc", "2.17"}}};
  EXPECT_FALSE(contains(headline.text(), "runs on this card")) << headline.text();
  EXPECT_TRUE(contains(headline.text(), "glibc 2.17")) << headline.text();
}

TEST(Plan, TheFirstLineNamesAllThatChanges) {
  Headline headline;
  headline.plan.answer.verdict = PlanVerdict::update_driver;
  headline.plan.answer.choice.emplace();
  headline.plan.answer.after_driver = dotted("580.178.04");
  headline.plan.answer.after_python = dotted("3.12");
  EXPECT_TRUE(contains(headline.text(), "580.178.04")) << headline.text();
  EXPECT_TRUE(contains(headline.text(), "Python 3.12")) << headline.text();
}

TEST(Plan, ATorchThatStaysIsNotSaidToBeInstalled) {
  Headline headline;
  headline.request.installed = {{"torch", "2.9.1+cu128", {}}};
  headline.plan.answer.verdict = PlanVerdict::update_driver;
  headline.plan.answer.after_driver = dotted("580.95.05");
  headline.plan.answer.choice.emplace();
  headline.plan.answer.keeps_installed = true;
  EXPECT_EQ(headline.text(), "first driver 580.95.05; torch 2.9.1+cu128 stays");
}

TEST(Plan, TheFreeThreadedPythonKeepsItsLetter) {
  Headline headline;
  headline.request.python = Fact<DottedVersion>::given(dotted("3.13"));
  headline.request.free_threaded = true;
  headline.plan.answer.verdict = PlanVerdict::install;
  Choice choice;
  choice.python = dotted("3.13");
  choice.free_threaded = true;
  headline.plan.answer.choice = choice;
  Style style = style_of("en");
  style.format = Format::json;
  PlanReport report{headline.request, headline.plan, headline.knowledge, "", {}, {}};
  auto json = parse_json(render_plan(report, style, load_catalogue("en")));
  ASSERT_TRUE(json);
  EXPECT_EQ(json->at("request").at("python").at("value").string(), "3.13t");
  EXPECT_EQ(json->at("choice").at("python").string(), "3.13t");
  EXPECT_TRUE(contains(render_plan(report, style_of("en"), load_catalogue("en")), "3.13t"));
}

TEST(Plan, ALongFirstLineIsWrapped) {
  Headline headline;
  headline.plan.answer.verdict = PlanVerdict::reinstall;
  headline.request.installed = {{"torch", "2.11.0+cu130", {}}};
  Choice choice;
  choice.torch = "2.8.0a0+5228986c39";
  choice.build_name = "container";
  choice.channel = "jetson";
  headline.plan.answer.choice = choice;
  EXPECT_LE(display_width(headline.text(80)), 80);
}

TEST(Plan, SeveralEnvironmentsAreOneAnswer) {
  Headline headline;
  headline.plan.answer.verdict = PlanVerdict::keep;
  std::vector<PlanReport> reports;
  for (const char* path : {"/home/ann/a", "/home/ann/b"}) {
    reports.push_back({headline.request, headline.plan, headline.knowledge, path, {}, {}});
  }
  Style json = style_of("en");
  json.format = Format::json;
  auto object = parse_json(render_plans(reports, json, load_catalogue("en")));
  ASSERT_TRUE(object);
  ASSERT_EQ(object->at("plans").items().size(), 2u);
  EXPECT_EQ(object->at("plans").items()[1].at("request").at("env").string(), "/home/ann/b");
  std::string text = render_plans(reports, style_of("en"), load_catalogue("en"));
  EXPECT_TRUE(text.starts_with("~/a\n")) << text;
  EXPECT_TRUE(contains(text, "\n~/b\n")) << text;
}

TEST(Plan, AConflictIsATreeOfBecauseLines) {
  Plan plan;
  plan.answer.verdict = PlanVerdict::no_build;
  plan.answer.conflict =
      Conflict{{{"gpu", "Tesla K80", {}}, {"torch", "==2.15.*", {}}}, "torch", {}};
  Knowledge knowledge = Knowledge::embedded();
  Request request;
  PlanReport report{request, plan, knowledge, "", {}, {}};
  std::string text = render_plan(report, style_of("en"), load_catalogue("en"));
  EXPECT_TRUE(
      contains(text, "these cannot hold together:\n  ├─ the GPU Tesla K80\n  └─ torch ==2.15.*\n"))
      << text;
  Style json = style_of("en");
  json.format = Format::json;
  auto object = parse_json(render_plan(report, json, load_catalogue("en")));
  ASSERT_TRUE(object);
  EXPECT_EQ(object->at("conflict").at("change").string(), "torch");
  EXPECT_EQ(object->at("conflict").at("parts").items().size(), 2u);
}

}  // namespace
}  // namespace kernelfit
