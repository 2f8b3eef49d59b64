// app::take_kept_options(): config.json of the run that --resume names.
#include "app/kept_run.h"

#include <string>
#include <string_view>

#include "app/train_settings.h"
#include "fuzz/scratch.h"
#include "fuzz/target.h"

namespace wccl::fuzz {

void check(std::span<const std::byte> input) {
  put_file(scratch() / "config.json", input);
  app::TrainOptionTexts texts;
  const auto status = app::take_kept_options(scratch(), texts);
  if (!status) {
    require(status.error().code == ErrorCode::kCorrupt && !status.error().message.empty());
    return;
  }
  const auto settings = app::to_settings(texts);
  if (!settings) {
    require(!settings.error().message.empty());
    return;
  }
  require(settings->nodes >= 0 && settings->nodes <= 8);
  require(settings->target_accuracy > 0 && settings->target_accuracy <= 1);
  require(settings->timeout_s > 0 && settings->max_air_time_s > 0);
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> seeds;
  for (const std::string_view text :
       {R"({"wccl_version":"0.1.0","backend":"room","strategy":"diloco","nodes":2,"inner_steps":50,
            "target_accuracy":0.9,"max_air_time_s":60,"timeout_s":30,"seed":18446744073709551615,
            "data":"/d","scene":"dim","arrangement":"pair","overrides":["camera.fps=15"],
            "mode":"auto"})",
        R"({"backend":"light","strategy":"data-parallel","nodes":3,"inner_steps":1,
            "target_accuracy":1,"max_air_time_s":6.5,"timeout_s":3,"seed":1,"data":"",
            "screen":"window","camera":"0"})"}) {
    const auto bytes = std::as_bytes(std::span(text));
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  return seeds;
}

}  // namespace wccl::fuzz
