#include <array>

#include <benchmark/benchmark.h>

#include "base/rng.h"
#include "link/endpoint.h"
#include "link/packet.h"
#include "phy/transmitter.h"

namespace wccl::link {
namespace {

constexpr phy::PanelSize kPanel{1920, 1200};

std::vector<std::size_t> block_sizes(phy::ModeId mode) {
  return std::vector(phy::block_slots(kPanel, mode).size(), phy::kBlockPayloadBytes);
}

Endpoint make_endpoint(Rank rank, phy::ModeId mode) {
  NodeOptions options;
  options.rank = rank;
  options.panel = kPanel;
  options.mode = mode;
  return {options, phy::modes(), block_sizes};
}

phy::CaptureReception show(const OutgoingFrame& frame, double block_loss, Rng& rng, Instant now) {
  phy::ScreenReception screen;
  screen.node = frame.header.node;
  screen.quality.levels[1][0] = 100;
  phy::FrameReception reception{frame.header, {}};
  for (std::size_t i = 0; i < frame.payloads.size(); ++i) {
    if (rng.uniform() < block_loss) {
      continue;
    }
    reception.blocks.push_back({static_cast<int>(i), frame.payloads[i]});
  }
  screen.frames.push_back(std::move(reception));
  return {now, {screen}};
}

/// Two endpoints, one sending a long message: what a frame costs both of them together, in the
/// fastest mode.
void BM_LongTransfer(benchmark::State& state) {
  const auto mode = static_cast<phy::ModeId>(phy::modes().size() - 1);
  const double block_loss = static_cast<double>(state.range(0)) / 100;
  Endpoint sender = make_endpoint(0, mode);
  Endpoint receiver = make_endpoint(1, mode);
  Rng rng(1);
  Bytes message(std::size_t{64} << 20);
  for (std::byte& byte : message) {
    byte = static_cast<std::byte>(rng.next());
  }
  Instant now{};
  std::vector<phy::CaptureReception> in_flight;
  std::size_t n_bytes = 0;
  for (auto _ : state) {
    if (sender.all_acknowledged()) {
      (void)sender.send(std::array{1}, 1, message);
    }
    now += Duration(66'667);
    if (const auto frame = sender.next_frame(now)) {
      for (const auto& payload : frame->payloads) {
        n_bytes += payload.size();
      }
      receiver.on_reception(show(*frame, block_loss, rng, now), now);
    }
    if (const auto frame = receiver.next_frame(now)) {
      // Acknowledgements come three frames late.
      in_flight.push_back(show(*frame, block_loss, rng, now));
      if (in_flight.size() <= 3) {
        continue;
      }
      sender.on_reception(in_flight.front(), now);
      in_flight.erase(in_flight.begin());
    }
    (void)receiver.try_receive(0, 1);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(n_bytes));
}
BENCHMARK(BM_LongTransfer)->Arg(0)->Arg(10)->Arg(30)->Unit(benchmark::kMicrosecond);

void BM_ParseBlock(benchmark::State& state) {
  const Bytes body(100);
  Bytes block = encode_packet(StatusPacket{1000, 395});
  const Bytes data = encode_packet(DataPacket{2, 1000, 100'000, body});
  block.insert(block.end(), data.begin(), data.end());
  block.resize(phy::kBlockPayloadBytes);
  for (auto _ : state) {
    benchmark::DoNotOptimize(parse_block(block));
  }
}
BENCHMARK(BM_ParseBlock);

void BM_MakeEndpoint(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(make_endpoint(0, 0).mode());
  }
}
BENCHMARK(BM_MakeEndpoint)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wccl::link
