// SPDX-License-Identifier: Apache-2.0
#include "machine/machine_json.h"

namespace kernelfit {
namespace {

Json value_json(const std::string& value) { return value; }
Json value_json(std::int64_t value) { return value; }
Json value_json(bool value) { return value; }
Json value_json(const DottedVersion& value) { return value.text(); }
Json value_json(const ComputeCapability& value) { return value.text(); }
Json value_json(const PciId& value) { return value.text(); }

template <typename T>
Json fact_json(const Fact<T>& fact) {
  Json out = Json::object();
  out["value"] = fact.has() ? value_json(fact.value()) : Json();
  out["state"] = text_of(fact.state());
  out["source"] = fact.source().empty() ? Json() : Json(fact.source());
  if (fact.is_unknown()) out["reason"] = fact.reason();
  return out;
}

template <typename Struct>
void add_facts(Json& out, const Struct& facts) {
  Struct::each_fact(facts,
                    [&](const char* name, const auto& fact) { out.add(name, fact_json(fact)); });
}
template <typename Struct>
Json facts_json(const Struct& facts) {
  Json out = Json::object();
  add_facts(out, facts);
  return out;
}

Json package_json(const Package& package) {
  Json out = Json::object();
  out["name"] = package.name;
  out["version"] = package.version;
  out["manager"] = package.manager;
  out["location"] = package.location;
  if (!package.build.empty()) out["build"] = package.build;
  if (!package.channel.empty()) out["channel"] = package.channel;
  out["source"] = package.metadata;
  out["user_site"] = package.user_site;
  return out;
}

Json library_json(const Library& library) {
  Json out = Json::object();
  out["name"] = library.name;
  out["version"] = library.version;
  out["build"] = fact_json(library.build);
  out["cuda"] = fact_json(library.cuda);
  out["location"] = library.location;
  out["binaries"] = Json::array();
  for (const auto& binary : library.binaries) out["binaries"].push(to_json(binary));
  out["other_binaries"] = library.other_binaries;
  out["problems"] = library.problems;
  return out;
}

Json toolkit_json(const Toolkit& toolkit) {
  Json out = Json::object();
  out["path"] = toolkit.path;
  out["version"] = fact_json(toolkit.version);
  out["cudnn"] = fact_json(toolkit.cudnn);
  out["is_cuda_home"] = toolkit.is_cuda_home;
  out["on_path"] = toolkit.on_path;
  return out;
}

Json event_json(const KernelEvent& event) {
  Json out = Json::object();
  out["kind"] = event.kind;
  out["text"] = event.text;
  if (event.xid != 0) out["xid"] = event.xid;
  if (!event.detail.empty()) out["detail"] = event.detail;
  return out;
}

}  // namespace

Json to_json(const BinaryImages& images) {
  Json out = Json::object();
  out["file"] = images.file;
  out["groups"] = Json::array();
  for (const auto& group : images.groups) {
    Json item = Json::object();
    item["section"] = group.section;
    std::vector<std::string> archs;
    for (const auto& arch : group.archs) archs.push_back(arch.text());
    item["archs"] = archs;
    item["containers"] = group.containers;
    item["images"] = group.images;
    item["bytes"] = group.code_bytes;
    item["relocatable"] = group.relocatable;
    out["groups"].push(std::move(item));
  }
  out["ptx_isa"] = images.ptx_isa.empty() ? Json() : Json(images.ptx_isa.text());
  out["compression"] = images.compression;
  out["problems"] = images.problems;
  return out;
}

Json to_json(const Gpu& gpu) {
  Json out = Json::object();
  out["index"] = gpu.index;
  add_facts(out, gpu);
  out["external"] = gpu.external;
  out["given"] = gpu.given;
  return out;
}

Json to_json(const Environment& environment) {
  Json out = Json::object();
  out["path"] = environment.path;
  out["kind"] = environment.kind;
  out["active"] = environment.active;
  add_facts(out, environment);
  out["free_threaded"] = environment.free_threaded;
  out["externally_managed"] = environment.externally_managed;
  out["packages"] = Json::array();
  for (const auto& package : environment.packages) out["packages"].push(package_json(package));
  out["libraries"] = Json::array();
  for (const auto& library : environment.libraries) out["libraries"].push(library_json(library));
  out["problems"] = environment.problems;
  return out;
}

Json to_json(const Machine& machine) {
  Json out = Json::object();
  out["system"] = facts_json(machine.system);
  out["driver"] = facts_json(machine.driver);
  out["variables"] = facts_json(machine.variables);
  out["other_gpus"] = Json::array();
  for (const auto& gpu : machine.other_gpus) {
    Json item = Json::object();
    item["vendor"] = gpu.vendor;
    item["name"] = gpu.name;
    item["pci_address"] = gpu.pci_address;
    out["other_gpus"].push(std::move(item));
  }
  out["kernel_events"] = Json::array();
  for (const auto& event : machine.kernel_events) out["kernel_events"].push(event_json(event));
  out["toolkits"] = Json::array();
  for (const auto& toolkit : machine.toolkits) out["toolkits"].push(toolkit_json(toolkit));
  out["problems"] = machine.problems;
  out["hypothetical"] = machine.hypothetical;
  return out;
}

}  // namespace kernelfit
