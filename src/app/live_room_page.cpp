#include "app/live_room_page.h"

#include <fmt/format.h>

namespace wccl::app {

std::string live_room_page(session::LiveRoom& room) {
  std::string page =
      "<!doctype html><title>WCCL: a live room</title>"
      "<style>body{font:15px sans-serif;margin:2em}img{width:100%}"
      "main{display:grid;grid-template-columns:repeat(auto-fit,minmax(24em,1fr));gap:1em}</style>"
      "<h1>A live room</h1><main>";
  for (int node = 0; node < room.n_nodes(); ++node) {
    const bool covered = room.panel(node).covered();
    page += fmt::format(
        "<section><h2>Laptop {0}</h2><img src=\"/{0}/video\" alt=\"what camera {0} sees\">"
        "<form method=post action=\"/{0}/cover?on={1}\"><button>{2} screen {0}</button></form>"
        "</section>",
        node, covered ? 0 : 1, covered ? "Uncover" : "Cover");
  }
  return page + "</main><p><a href=\"/status.json\">status.json</a></p>";
}

}  // namespace wccl::app
