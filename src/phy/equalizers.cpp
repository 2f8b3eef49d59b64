#include "phy/equalizers.h"

#include <utility>

namespace wccl::phy {
namespace {

/// What an equaliser of a layer may count on when those before it are known.
Equalizer::Knowledge knowledge_of(Layer layer, std::span<const Layer> needed) {
  Equalizer::Knowledge knowledge;
  for (const Layer before : needed) {
    if (before.channel == layer.channel) {
      knowledge.own_neighbours = true;
    } else if (before.half == 0) {
      knowledge.channels.push_back(before.channel);
    }
  }
  return knowledge;
}

}  // namespace

void learn_fast(Equalizers& equalizers) {
  equalizers.plain.learn_fast();
  for (auto& informed : equalizers.informed) {
    if (informed) {
      informed->learn_fast();
    }
  }
}

Equalizers make_equalizers(const Layout& layout, const Techniques& techniques) {
  Equalizers equalizers{Equalizer(layout.channels(), techniques.equalizer), {}};
  // With more than two levels nothing is learned from decoded blocks.
  if (layout.levels() != 2 || !techniques.layers) {
    return equalizers;
  }
  const auto order = layers(layout.mode().colouring);
  for (std::size_t i = 1; i < order.size(); ++i) {
    equalizers.informed[index_of(order[i])].emplace(layout.channels(), order[i].channel,
                                                    knowledge_of(order[i], order.first(i)));
  }
  return equalizers;
}

}  // namespace wccl::phy
