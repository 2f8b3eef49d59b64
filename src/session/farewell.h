#pragma once

#include "wccl/result.h"

#include "session/rank_context.h"

namespace wccl::session {

/// What a rank does before its screen goes dark: waits until the others have all that it sent, says
/// goodbye, and stays until they have said so too. A peer may still wait for an acknowledgement
/// when a rank has all that it needs itself.
/// @return what keeps its own messages from arriving; a goodbye that does not come is no error.
Status say_farewell(RankContext& self);

/// What a rank does instead when its program ends early: tells the others why, so that none waits
/// for it, and stays for a moment until they have heard it.
/// @param why  That of another rank's departure is passed on as such.
/// @return `why`, or kCancelled when its user wished it, whatever the program made of that.
Error say_why_it_leaves(RankContext& self, const Error& why);

}  // namespace wccl::session
