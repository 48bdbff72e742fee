// python/call_name.hpp: the name of the function that is being called, with which its messages begin.
#pragma once

namespace foldwise::python {

/// While one exists, the thread calls the function of this name, which has to live as long.
class call_name {
  public:
    explicit call_name(const char* name);
    call_name(const call_name&) = delete;
    call_name& operator=(const call_name&) = delete;
    ~call_name();

  private:
    const char* outer_;
};

}  // namespace foldwise::python
