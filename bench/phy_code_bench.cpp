// The coding half of phy: decoded user bits per second on one core, with the frame error rate and
// the iterations that go with them. Noise is white and Gaussian, two levels, from a fixed seed;
// argument: Eb/N0 in 1/100 dB.

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "phy/block_codec.h"
#include "phy/frame_header.h"
#include "phy/interleaver.h"
#include "phy/ldpc_code.h"
#include "phy/ldpc_decoder.h"
#include "phy/ldpc_decoder_scalar.h"
#include "phy/ldpc_encoder.h"
#include "phy/scrambler.h"

namespace wccl::phy {
namespace {

constexpr std::size_t kBlocks = 512;

struct NoisyBlock {
  BitVector info;
  std::vector<Llr> llrs;
};

std::vector<NoisyBlock> make_noisy_blocks(CodeRate rate, double ebn0_db) {
  const std::size_t n_info = ldpc_code(rate).info_bits();
  const double code_rate = static_cast<double>(n_info) / kBlockCodedBits;
  const double noise_var = 1.0 / (2.0 * code_rate * std::pow(10.0, ebn0_db / 10.0));
  Rng rng(1);
  std::vector<NoisyBlock> blocks(kBlocks);
  for (NoisyBlock& block : blocks) {
    block.info.resize(n_info);
    for (auto& bit : block.info) {
      bit = static_cast<std::uint8_t>(rng.below(2));
    }
    BitVector codeword(kBlockCodedBits);
    ldpc_encode(block.info, rate, codeword);
    for (const std::uint8_t bit : codeword) {
      const double sample = (bit != 0 ? -1.0 : 1.0) + std::sqrt(noise_var) * rng.normal();
      block.llrs.push_back(to_llr(static_cast<float>(2.0 * sample / noise_var)));
    }
  }
  return blocks;
}

template <class Decoder, CodeRate kRate>
void decode_ldpc(benchmark::State& state) {
  const auto blocks = make_noisy_blocks(kRate, static_cast<double>(state.range(0)) / 100.0);
  const std::size_t n_info = ldpc_code(kRate).info_bits();
  Decoder decoder;
  BitVector info(n_info);
  std::size_t n_decoded = 0;
  std::size_t n_bad = 0;
  std::int64_t n_iterations = 0;
  for (auto _ : state) {
    const NoisyBlock& block = blocks[n_decoded++ % kBlocks];
    const LdpcResult result = decoder.decode(block.llrs, kRate, info);
    n_iterations += result.iterations;
    n_bad += !result.converged || info != block.info;
  }
  const auto n = static_cast<double>(n_decoded);
  state.counters["Mbit/s"] =
      benchmark::Counter(n * static_cast<double>(n_info) * 1e-6, benchmark::Counter::kIsRate);
  state.counters["FER"] = static_cast<double>(n_bad) / n;
  state.counters["iterations"] = static_cast<double>(n_iterations) / n;
}

BENCHMARK(decode_ldpc<LdpcDecoder, CodeRate::k1_2>)->Arg(125)->Arg(150)->Arg(175)->Arg(300);
BENCHMARK(decode_ldpc<LdpcDecoder, CodeRate::k2_3>)->Arg(200)->Arg(225)->Arg(250)->Arg(400);
BENCHMARK(decode_ldpc<LdpcDecoder, CodeRate::k3_4>)->Arg(250)->Arg(275)->Arg(300)->Arg(450);
BENCHMARK(decode_ldpc<LdpcDecoder, CodeRate::k5_6>)->Arg(325)->Arg(350)->Arg(375)->Arg(550);
BENCHMARK(decode_ldpc<ScalarLdpcDecoder, CodeRate::k1_2>)->Arg(175);

template <CodeRate kRate>
void encode_block_of_rate(benchmark::State& state) {
  const std::vector<std::byte> payload(block_payload_bytes(kRate), std::byte{0x5a});
  for (auto _ : state) {
    benchmark::DoNotOptimize(encode_block(payload, kRate));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(payload.size()));
}
BENCHMARK(encode_block_of_rate<CodeRate::k1_2>);
BENCHMARK(encode_block_of_rate<CodeRate::k5_6>);

void decode_header_of_a_frame(benchmark::State& state) {
  std::vector<Llr> llrs;
  for (const std::uint8_t bit : encode_header({.panel = {1920, 1200}})) {
    llrs.push_back(static_cast<Llr>(bit != 0 ? -20 : 20));
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(decode_header(llrs));
  }
}
BENCHMARK(decode_header_of_a_frame);

/// What a receiver does to one channel between the demodulator and the decoder.
void descramble_and_deinterleave(benchmark::State& state) {
  const Interleaver interleaver(static_cast<std::size_t>(state.range(0)));
  std::vector<Llr> places(interleaver.n_places(), 5);
  std::vector<Llr> blocks(interleaver.n_places());
  for (auto _ : state) {
    Scrambler(1, 2, 0).apply(places);
    for (std::size_t place = 0; place < places.size(); ++place) {
      const auto coded = interleaver.coded_bit_at(place);
      blocks[coded.block * kBlockCodedBits + coded.bit] = places[place];
    }
    benchmark::DoNotOptimize(blocks.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(places.size()));
}
BENCHMARK(descramble_and_deinterleave)->Arg(10)->Arg(100);

}  // namespace
}  // namespace wccl::phy
