#include "transfer/made_folders.h"

#include <system_error>

#include <unistd.h>

namespace wccl::transfer {

namespace fs = std::filesystem;

MadeFolders::MadeFolders(const fs::path& folder) {
  std::error_code ignored;
  for (fs::path path = folder; !path.empty() && !fs::exists(path, ignored);
       path = path.parent_path()) {
    made_.push_back(path);
  }
  fs::create_directories(folder, ignored);
}

MadeFolders::~MadeFolders() {
  for (const fs::path& path : made_) {
    ::rmdir(path.c_str());  // fails when something is in it
  }
}

}  // namespace wccl::transfer
