#pragma once

#include <string>

#include "session/live_room.h"

namespace wccl::app {

/// HTML: what each camera sees, with a switch to cover each screen.
[[nodiscard]] std::string live_room_page(session::LiveRoom& room);

}  // namespace wccl::app
