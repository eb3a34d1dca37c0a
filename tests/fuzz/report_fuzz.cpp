// Any bytes as a report of probe-attention: a page of HTML, or a SpecError that says where it came from.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "checks/program/read_json.h"
#include "probes/report/report_page.h"
#include "theory/expression/spec_error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpe::probes;
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    const std::string page = report_page(gpe::checks::read_json<Json>(text, "input"), "input");
    for (const char* part : {"<script", "onload=", "javascript:"}) {
      if (page.find(part) == std::string::npos) continue;
      std::fprintf(stderr, "%s in the page\n", part);
      std::abort();
    }
  } catch (const gpe::theory::SpecError& error) {
    if (!std::string(error.what()).starts_with("input")) std::abort();
  }
  return 0;
}
