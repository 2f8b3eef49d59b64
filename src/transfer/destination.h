#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>

#include "wccl/result.h"

#include "transfer/file_handle.h"
#include "transfer/made_folders.h"
#include "transfer/manifest.h"

namespace wccl::transfer {

/// The receiver's folder. Whatever a manifest says, nothing outside it is read or written: names
/// are resolved one by one, and symbolic links in it are not followed. Twin of SourceFiles.
class Destination {
 public:
  /// Makes the folder where it is missing; it stays when something is put into it.
  /// @param replace  Whether files with another content may be replaced.
  /// @return kIo when it cannot be written.
  [[nodiscard]] static Result<Destination> open(const std::filesystem::path& folder, bool replace);

  /// What is in an entry's place.
  struct Place {
    bool taken = false;
    FileHandle file;  ///< Open when a file of the entry's size is there.
  };
  /// @return kIo when something is there that may not be replaced, whatever it holds.
  [[nodiscard]] Result<Place> look_at(const Entry& entry) const;
  [[nodiscard]] bool replaces() const { return replace_; }
  /// What is said of a file with another content.
  [[nodiscard]] tl::unexpected<Error> taken(const Entry& entry) const;

  Status make_folder(const Entry& entry) const;
  /// Moves a whole file into its place, in one step.
  /// @param from  The folder in which it is now, and its name there; on the same disk.
  Status move_in(const FileHandle& from, const std::string& name, const Entry& entry) const;

  /// Makes or opens a folder directly in `parent` that is no link.
  /// @param local_path  The folder's, for messages.
  [[nodiscard]] Result<FileHandle> open_folder_in(const FileHandle& parent,
                                                  const std::string& name,
                                                  const std::string& local_path) const;
  /// Removes what has this name in `folder`, unless it can be a file that was kept there: one with
  /// no other name (a hard link), through which another file would be written, and not longer.
  /// @param local_path  Its, for messages.
  Status clear_unless_kept(const FileHandle& folder,
                           const std::string& name,
                           std::uint64_t most_bytes,
                           const std::string& local_path) const;
  [[nodiscard]] const FileHandle& handle() const { return handle_; }
  /// Of an entry, for messages.
  [[nodiscard]] std::string shown(const std::string& local_path) const;
  /// Bytes that the disk has left for us; nothing when it does not say.
  [[nodiscard]] std::optional<std::uint64_t> free_bytes() const;

 private:
  Destination(std::filesystem::path folder, MadeFolders made, FileHandle handle, bool replace)
      : folder_(std::move(folder)),
        made_(std::move(made)),
        handle_(std::move(handle)),
        replace_(replace) {}
  /// The folder that an entry is in, and its name there.
  struct Parent {
    FileHandle folder;  ///< Not open when it is missing and was not to be made.
    std::string name;
  };
  [[nodiscard]] Result<Parent> parent_of(const Entry& entry, bool make) const;
  /// Why a folder could not be opened, by errno.
  [[nodiscard]] tl::unexpected<Error> no_folder(const std::string& local_path) const;

  std::filesystem::path folder_;
  MadeFolders made_;
  FileHandle handle_;
  bool replace_ = false;
};

}  // namespace wccl::transfer
