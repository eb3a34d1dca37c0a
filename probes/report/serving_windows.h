// How many keys each head needs, for a program that serves the model.
#pragma once

#include "probes/report/report_json.h"

namespace gpe::probes {

/// From a report of probe-attention: by layer and head the keys to keep, why that is enough, and the MiB of
/// the cache that it saves; docs/windows.schema.json has the fields. A window that is proved for the content
/// bound of the report comes first, then the statistical one, then all keys.
Json serving_windows(const Json& report);

}  // namespace gpe::probes
