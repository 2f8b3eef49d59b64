#pragma once

#include "app/run_folder.h"
#include "base/image.h"
#include "session/laptop.h"

namespace wccl::app {

/// What a camera saw, with each screen that its receiver found outlined, named and measured.
[[nodiscard]] RgbImage annotate(const session::Sighting& sighting);

/// Writes it into the run's folder as camera-RANK.png, if there is something to be seen. A picture
/// less is no reason to call a trained model a failure: an error is only printed.
void keep_camera_picture(const RunFolder& folder, Rank rank, const session::Sighting& sighting);

}  // namespace wccl::app
