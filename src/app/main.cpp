#include "app/run.h"

int main(int argc, char** argv) {
  return wccl::app::run(argc, argv);
}
