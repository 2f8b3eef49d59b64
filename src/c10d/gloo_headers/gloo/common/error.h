#pragma once
// Nothing of it is needed; see algorithm.h.
