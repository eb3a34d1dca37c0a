#include "theory/score/setting.h"

#include <utility>
#include <vector>

namespace gpe::theory {

Expr with_setting(const Expr& expression, const Setting& setting) {
  Expr result = expression;
  const std::vector<std::pair<const char*, int>> values = {{"d", setting.head_dim},
                                                           {"h", setting.head},
                                                           {"heads", setting.heads},
                                                           {"layer", setting.layer},
                                                           {"layers", setting.layers}};
  for (const auto& [name, value] : values) result = substitute(result, name, Expr(value));
  return result;
}

}  // namespace gpe::theory
