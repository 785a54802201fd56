// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "editor/MessageStream.h"

#include "gtest/gtest.h"

#include <csignal>
#include <thread>
#include <unistd.h>

using namespace coreside;

/// What a reader makes of `bytes`: the messages, "!" for nonsense.
static std::string read(const std::string &bytes) {
  int ends[2];
  EXPECT_EQ(0, pipe(ends));
  // A pipe holds less than some of what is sent.
  std::thread writer([&] {
    for (size_t at = 0; at != bytes.size();) {
      ssize_t count = write(ends[1], bytes.data() + at, bytes.size() - at);
      if (count <= 0)
        break;
      at += count;
    }
    close(ends[1]);
  });
  MessageReader reader(ends[0]);
  std::string result, message;
  for (;;) {
    MessageReader::Outcome outcome = reader.read(message);
    if (outcome == MessageReader::Outcome::End)
      break;
    result += outcome == MessageReader::Outcome::Message ? "[" + message + "]"
                                                         : std::string("!");
  }
  writer.join();
  close(ends[0]);
  return result;
}

static std::string message(const std::string &body) {
  return "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

TEST(MessageReader, Messages) {
  EXPECT_EQ("[{}][ab\r\nc][]",
            read(message("{}") + message("ab\r\nc") + message("")));
  EXPECT_EQ("[{}]", read("content-type: x; charset=utf-8\r\nCONTENT-LENGTH:2"
                         "\r\n\r\n{}"));
  // Bare newlines, and some before the message.
  EXPECT_EQ("[{}]", read("\n\r\nContent-Length: 2\n\n{}"));
  EXPECT_EQ("", read(""));
}

TEST(MessageReader, NonsenseIsPassedBy) {
  EXPECT_EQ("![{}]", read("hello\r\n" + message("{}")));
  EXPECT_EQ("![{}]", read("Content-Length: many\r\n" + message("{}")));
  EXPECT_EQ("![{}]", read("Content-Length: -3\r\n" + message("{}")));
  EXPECT_EQ("![{}]", read("Content-Length: 99999999999999999999999\r\n" +
                          message("{}")));
  EXPECT_EQ("![{}]", read(std::string(1 << 20, 'x') + "\r\n" + message("{}")));
}

TEST(MessageReader, WhatIsTooLongIsNotKept) {
  std::string body(MessageReader::largest + 1, ' ');
  EXPECT_EQ("![{}]", read(message(body) + message("{}")));
}

TEST(MessageReader, AnEndInTheMiddle) {
  EXPECT_EQ("[{}]", read(message("{}") + "Content-Length: 20\r\n\r\n{"));
  EXPECT_EQ("", read("Content-Len"));
}

TEST(MessageWriter, NobodyReads) {
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  signal(SIGPIPE, SIG_IGN);
  close(ends[0]);
  MessageWriter writer(ends[1]);
  EXPECT_FALSE(writer.write("{}"));
  EXPECT_FALSE(writer.write("{}"));
  close(ends[1]);
}

TEST(ReadJSON, AsDeepAsAnythingMeans) {
  auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(readJSON(nested(256)));
  EXPECT_FALSE(readJSON(nested(257)));
  EXPECT_FALSE(readJSON(nested(10000000)));
  EXPECT_FALSE(readJSON("{"));
  // What is in strings nests nothing.
  EXPECT_TRUE(readJSON("\"\\\"" + nested(1000) + "\""));
}
