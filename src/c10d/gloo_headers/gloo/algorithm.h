#pragma once
// PyTorch's wheel ships ProcessGroupGloo.hpp but not the headers of Gloo which that includes,
// though libtorch_cpu exports every symbol. The five headers in this folder declare just enough to
// compile it; nothing that we instantiate depends on the layout of these classes. Nothing is needed
// of this one.
