// The coding half of phy: decoded user bits per second on one core, with the frame and bit error
// rates and the iterations that go with them. Noise is white and Gaussian, two levels, from a fixed
// seed. `--benchmark_filter=decode/1/2/12` gives the curve of one rate at one limit of iterations.

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "phy/block_codec.h"
#include "phy/code_rate.h"
#include "phy/frame_header.h"
#include "phy/interleaver.h"
#include "phy/ldpc_code.h"
#include "phy/ldpc_decoder.h"
#include "phy/ldpc_decoder_scalar.h"
#include "phy/ldpc_encoder.h"
#include "phy/scrambler.h"

namespace wccl::phy {
namespace {

struct NoisyBlock {
  BitVector info;
  std::vector<Llr> llrs;
};

std::vector<NoisyBlock> make_noisy_blocks(std::size_t n_blocks,
                                          std::size_t n_coded,
                                          double snr_db) {
  const double noise_var = std::pow(10.0, -snr_db / 10.0);
  Rng rng(1);
  std::vector<NoisyBlock> blocks(n_blocks);
  for (NoisyBlock& block : blocks) {
    block.info.resize(kLdpcInfoBits);
    for (auto& bit : block.info) {
      bit = static_cast<std::uint8_t>(rng.below(2));
    }
    BitVector coded(n_coded);
    ldpc_encode(block.info, coded);
    for (const std::uint8_t bit : coded) {
      const double sample = (bit != 0 ? -1.0 : 1.0) + std::sqrt(noise_var) * rng.normal();
      block.llrs.push_back(to_llr(static_cast<float>(2.0 * sample / noise_var)));
    }
  }
  return blocks;
}

struct Point {
  CodeRate rate;
  int max_iterations;
  double snr_db;
};

template <class Decoder>
void decode_ldpc(benchmark::State& state, const Point& point) {
  const std::size_t n_coded = block_coded_bits(point.rate);
  const auto blocks =
      make_noisy_blocks(static_cast<std::size_t>(state.max_iterations), n_coded, point.snr_db);
  Decoder decoder(point.max_iterations);
  BitVector info(kLdpcInfoBits);
  std::size_t n_decoded = 0;
  std::size_t bad_blocks = 0;
  std::size_t bad_bits = 0;
  std::int64_t n_iterations = 0;
  for (auto _ : state) {
    const NoisyBlock& block = blocks[n_decoded++ % blocks.size()];
    n_iterations += decoder.decode(block.llrs, info).iterations;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < info.size(); ++i) {
      wrong += info[i] ^ block.info[i];
    }
    bad_blocks += wrong != 0;
    bad_bits += wrong;
  }
  const auto n = static_cast<double>(n_decoded);
  const auto n_bits = n * static_cast<double>(kLdpcInfoBits);
  const double rate = static_cast<double>(kLdpcInfoBits) / static_cast<double>(n_coded);
  state.counters["EbN0_dB"] = point.snr_db - 10 * std::log10(2 * rate);
  state.counters["SNR_dB"] = point.snr_db;
  state.counters["Mbit/s"] = benchmark::Counter(n_bits * 1e-6, benchmark::Counter::kIsRate);
  state.counters["bad"] = static_cast<double>(bad_blocks);
  state.counters["FER"] = static_cast<double>(bad_blocks) / n;
  state.counters["BER"] = static_cast<double>(bad_bits) / n_bits;
  state.counters["iterations"] = static_cast<double>(n_iterations) / n;
}

template <class Decoder>
void add_point(const std::string& name, const Point& point, int n_blocks) {
  const std::string path =
      name + "/" + std::string(name_of(point.rate)) + "/" + std::to_string(point.max_iterations);
  benchmark::RegisterBenchmark(path.c_str(), decode_ldpc<Decoder>, point)
      ->Iterations(n_blocks)
      ->Unit(benchmark::kMicrosecond);
}

// Around the SNR where a block in a hundred fails, and far above it: what a clear view costs.
constexpr std::array kSnrSteps{-0.6, -0.4, -0.2, 0.0, 0.2, 0.4, 6.0};
constexpr int kBlocks = 2000;

bool add_curves() {
  for (const CodeRate rate : kCodeRates) {
    for (const int max_iterations : {8, 12}) {
      for (const double step : kSnrSteps) {
        add_point<LdpcDecoder>("decode", {rate, max_iterations, required_snr_db(rate) + step},
                               kBlocks);
      }
    }
  }
  add_point<ScalarLdpcDecoder>("decode_scalar",
                               {CodeRate::k1_2, 12, required_snr_db(CodeRate::k1_2)}, 200);
  return true;
}
const bool kCurvesAdded = add_curves();

void encode_block_of(benchmark::State& state) {
  const std::vector<std::byte> payload(kBlockPayloadBytes, std::byte{0x5a});
  for (auto _ : state) {
    benchmark::DoNotOptimize(encode_block(payload, static_cast<std::size_t>(state.range(0))));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(payload.size()));
}
BENCHMARK(encode_block_of)->Arg(1584)->Arg(2816)->Arg(4224);

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
  constexpr std::size_t kCoded = 2816;
  const Interleaver interleaver(static_cast<std::size_t>(state.range(0)), kCoded);
  std::vector<Llr> places(interleaver.n_places(), 5);
  std::vector<Llr> blocks(interleaver.n_places());
  for (auto _ : state) {
    Scrambler(1, 2, 0).apply(places);
    for (std::size_t place = 0; place < places.size(); ++place) {
      const auto coded = interleaver.coded_bit_at(place);
      blocks[coded.block * kCoded + coded.bit] = places[place];
    }
    benchmark::DoNotOptimize(blocks.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(places.size()));
}
BENCHMARK(descramble_and_deinterleave)->Arg(10)->Arg(100);

}  // namespace
}  // namespace wccl::phy
