// tests/unit/runtime/expect_error.hpp: an expectation of an exception of a type, whose message has some parts.
#pragma once

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <typeinfo>
#include <vector>

/// Expects `call` to throw exactly Error, with a message that holds every piece.
template <class Error, class Call, class... Piece> void expect_error(Call call, Piece... pieces) {
    try {
        static_cast<void>(call());
        ADD_FAILURE() << "nothing was thrown";
    } catch (const std::exception& e) {
        EXPECT_TRUE(typeid(e) == typeid(Error)) << "another type was thrown: " << e.what();
        for (const std::string& piece : std::vector<std::string>{pieces...})
            EXPECT_NE(std::string(e.what()).find(piece), std::string::npos) << e.what() << "\ndoes not say: " << piece;
    }
}
