#include "link/node.h"

#include <utility>

#include "link/endpoint.h"
#include "phy/transmitter.h"

namespace wccl::link {
namespace {

Endpoint::BlockSizes sizes_on(phy::PanelSize panel) {
  return [panel](phy::ModeId mode) {
    return std::vector(phy::block_slots(panel, mode).size(), phy::kBlockPayloadBytes);
  };
}

}  // namespace

struct Node::State {
  Endpoint endpoint;
  std::shared_ptr<const phy::Transmitter> transmitter;
  std::function<void(const phy::CaptureReception&)> watcher;
};

Node::Node(NodeOptions options)
    : state_(std::make_unique<State>(State{Endpoint(options, phy::modes(), sizes_on(options.panel)),
                                           std::make_shared<phy::Transmitter>(options.panel),
                                           {}})) {}

Node::~Node() = default;

void Node::on_reception(const phy::CaptureReception& reception, Instant now) {
  if (state_->watcher) {
    state_->watcher(reception);
  }
  state_->endpoint.on_reception(reception, now);
}

void Node::watch(std::function<void(const phy::CaptureReception&)> watcher) {
  state_->watcher = std::move(watcher);
}

Painting Node::next_frame(Instant now) {
  auto frame = state_->endpoint.next_frame(now);
  if (!frame) {
    return {};
  }
  return [transmitter = state_->transmitter, frame = *std::move(frame)] {
    return std::make_shared<const RgbImage>(transmitter->render(frame.header, frame.payloads));
  };
}

Status Node::send(std::span<const Rank> to, Tag tag, std::span<const std::byte> message) {
  return state_->endpoint.send(to, tag, message);
}

std::optional<Bytes> Node::try_receive(Rank from, Tag tag) {
  return state_->endpoint.try_receive(from, tag);
}

Status Node::say_goodbye(std::span<const Rank> to, const std::optional<Departure>& departure) {
  return state_->endpoint.say_goodbye(to, departure);
}

bool Node::has_said_goodbye(Rank peer) const {
  return state_->endpoint.has_said_goodbye(peer);
}

std::optional<Departure> Node::departure(Rank peer) const {
  return state_->endpoint.departure(peer);
}

bool Node::all_acknowledged() const {
  return state_->endpoint.all_acknowledged();
}

std::size_t Node::backlog_bytes() const {
  return state_->endpoint.backlog_bytes();
}

std::size_t Node::frame_bytes() const {
  return state_->endpoint.frame_bytes();
}

std::vector<Rank> Node::unacknowledged_by() const {
  return state_->endpoint.unacknowledged_by();
}

std::uint64_t Node::progress(Rank peer) const {
  return state_->endpoint.progress(peer);
}

bool Node::calibrated() const {
  return state_->endpoint.calibrated();
}

bool Node::works_with(Rank peer) const {
  return state_->endpoint.works_with(peer);
}

std::vector<Rank> Node::lost_peers(Instant now) const {
  return state_->endpoint.lost_peers(now);
}

std::uint64_t Node::incarnation(Rank peer) const {
  return state_->endpoint.incarnation(peer);
}

void Node::drop_queued(Rank peer) {
  state_->endpoint.drop_queued(peer);
}

std::vector<Rank> Node::conflicts(Instant now) const {
  return state_->endpoint.conflicts(now);
}

std::optional<std::uint8_t> Node::foreign_version(Instant now) const {
  return state_->endpoint.foreign_version(now);
}

std::string Node::complaint(Instant now) const {
  return state_->endpoint.complaint(now);
}

std::vector<std::uint16_t> Node::seekers(Instant now) const {
  return state_->endpoint.seekers(now);
}

std::vector<LinkStats> Node::stats() const {
  return state_->endpoint.stats();
}

std::uint64_t Node::bytes_on_air() const {
  return state_->endpoint.bytes_on_air();
}

SentBytes Node::sent_bytes() const {
  return state_->endpoint.sent_bytes();
}

RateControl::State Node::rate(Instant now) const {
  return state_->endpoint.rate(now);
}

void Node::fix(const FixedSending& sending) {
  state_->endpoint.fix(sending);
}

const NodeOptions& Node::options() const {
  return state_->endpoint.options();
}

}  // namespace wccl::link
