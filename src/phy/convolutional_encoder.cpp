#include "phy/convolutional_encoder.h"

#include "phy/convolutional_code.h"

namespace wccl::phy {

BitVector convolutional_encode(std::span<const std::uint8_t> bits) {
  BitVector coded;
  coded.reserve(2 * (bits.size() + ConvolutionalCode::kTailBits));
  std::uint32_t state = 0;
  const auto push = [&](std::uint32_t bit) {
    coded.push_back(ConvolutionalCode::coded_bit(state, bit, 0));
    coded.push_back(ConvolutionalCode::coded_bit(state, bit, 1));
    state = ConvolutionalCode::next_state(state, bit);
  };
  for (const std::uint8_t bit : bits) {
    push(bit);
  }
  for (int i = 0; i < ConvolutionalCode::kTailBits; ++i) {
    push(0);
  }
  return coded;
}

}  // namespace wccl::phy
