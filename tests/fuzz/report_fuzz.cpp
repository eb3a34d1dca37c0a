// Any bytes as a report of probe-attention: a page of HTML, or a SpecError that says where it came from.
#include "checks/program/read_json.h"
#include "probes/report/report_page.h"
#include "tests/fuzz/fuzzer.h"

void gpe::fuzz::read(std::string_view bytes) {
  refusal("input", [&] {
    const std::string page = probes::report_page(checks::read_json<probes::Json>(bytes, "input"), "input");
    for (const char* part : {"<script", "onload=", "javascript:"})
      require(page.find(part) == std::string::npos, "the page runs a program", part);
  });
}
