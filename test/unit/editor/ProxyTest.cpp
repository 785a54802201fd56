// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `coreside clangd` does to the text of messages.

#include "editor/ClientRequest.h"
#include "editor/DocumentDiagnostics.h"
#include "editor/JSONMembers.h"
#include "editor/MergeAnswers.h"
#include "editor/MessageSplitter.h"
#include "editor/RestartPolicy.h"
#include "editor/ServerAsks.h"
#include "editor/SessionState.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

#include <vector>

using namespace coreside;

namespace {

std::vector<std::string> bodiesOf(MessageSplitter &reader) {
  std::vector<std::string> bodies;
  while (std::optional<Message> message = reader.next())
    bodies.push_back(message->body().str());
  return bodies;
}

std::vector<std::string> bodiesOf(llvm::StringRef bytes) {
  MessageSplitter reader;
  reader.add(bytes);
  return bodiesOf(reader);
}

using Bodies = std::vector<std::string>;

TEST(JSONMembers, FindsValuesOfAllKinds) {
  std::optional<JSONMembers> members = jsonMembers(
      R"( { "a" : 1 , "b":"x\"}," ,"c":[1,{"d":"]"}], "e":null,"f":{} } )");
  ASSERT_TRUE(members);
  ASSERT_EQ(members->size(), 5u);
  EXPECT_EQ((*members)[0].value, "1");
  EXPECT_EQ((*members)[1].value, R"("x\"},")");
  EXPECT_EQ((*members)[2].value, R"([1,{"d":"]"}])");
  EXPECT_EQ((*members)[3].value, "null");
  EXPECT_EQ((*members)[4].value, "{}");
}

TEST(JSONMembers, RefusesWhatIsNoObject) {
  for (const char *text :
       {"", "{", "}", "[]", "1", R"({"a")", R"({"a":})", R"({"a":1,})",
        R"({"a":"x})", R"({"a":[1})", R"({"a":1 "b":2})", R"({a:1})",
        R"({"a\":1})", R"({"a":1}})", "{\"a\":\"\\"})
    EXPECT_FALSE(jsonMembers(text)) << text;
  std::string deep(100000, '[');
  EXPECT_FALSE(jsonMembers("{\"a\":" + deep + std::string(100000, ']') + "}"));
  EXPECT_TRUE(jsonMembers("{}"));
  EXPECT_TRUE(jsonMembers(" { } "));
}

TEST(JSONMembers, TellsRequestsNotificationsAndResponses) {
  EXPECT_TRUE(messageParts(R"({"id":1,"method":"a"})").isRequest());
  EXPECT_TRUE(messageParts(R"({"method":"a"})").isNotification());
  EXPECT_TRUE(messageParts(R"({"id":"x","result":null})").isResponse());
  EXPECT_TRUE(messageParts(R"({"id":"x","error":{}})").isResponse());
  EXPECT_FALSE(messageParts(R"({"id":1})").isResponse());
  MessageParts none = messageParts("not JSON");
  EXPECT_FALSE(none.isRequest() || none.isNotification() || none.isResponse());
  EXPECT_EQ(messageParts(R"({"method":"textDocument\/hover"})").method,
            "textDocument/hover");
  EXPECT_EQ(canonicalId(R"("a\/b\u0022")"), R"("a/b\"")");
  EXPECT_EQ(canonicalId("17"), "17");
  // The members of parameters are not those of the message.
  EXPECT_TRUE(
      messageParts(R"({"params":{"id":1},"method":"a"})").isNotification());
}

TEST(MessageSplitter, PutsPiecesTogether) {
  std::string bytes = "Content-Length: 2\r\n\r\n{}"
                      "Content-Type: a; charset=utf-8\r\n"
                      "content-length:3\r\n\r\n[1]";
  MessageSplitter reader;
  std::string all;
  for (char byte : bytes) {
    reader.add(llvm::StringRef(&byte, 1));
    while (std::optional<Message> message = reader.next())
      all += message->bytes;
  }
  EXPECT_EQ(all, bytes);
  EXPECT_FALSE(reader.sawNonsense());
  EXPECT_EQ(bodiesOf(bytes), (Bodies{"{}", "[1]"}));
}

TEST(MessageSplitter, GoesOnAfterNonsense) {
  EXPECT_EQ(bodiesOf("hello\r\nContent-Length: 2\r\n\r\n{}"), Bodies{"{}"});
  EXPECT_EQ(bodiesOf("\r\n\r\nContent-Length: 2\r\n\r\n{}"), Bodies{"{}"});
  EXPECT_EQ(bodiesOf("Content-Length: 0\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            Bodies{"{}"});
  EXPECT_EQ(bodiesOf("Content-Length: -5\r\n\r\nContent-Length: 2\r\n\r\n{}"),
            Bodies{"{}"});
  EXPECT_EQ(bodiesOf("Content-Length: 99999999999999999999\r\n\r\nx\r\n"
                     "Content-Length: 2\r\n\r\n{}"),
            Bodies{"{}"});
  EXPECT_EQ(bodiesOf("Content-Length: 2000000000\r\n\r\n"
                     "Content-Length: 2\r\n\r\n{}"),
            Bodies{"{}"});
  EXPECT_EQ(
      bodiesOf(std::string(100000, 'x') + "\r\nContent-Length: 2\r\n\r\n{}"),
      Bodies{"{}"});
  MessageSplitter reader;
  reader.add("hello\r\n");
  EXPECT_EQ(bodiesOf(reader), Bodies{});
  EXPECT_TRUE(reader.sawNonsense());
  EXPECT_FALSE(reader.sawNonsense());
}

TEST(MessageSplitter, KeepsNoLongLine) {
  // A line without an end must not be kept for ever.
  MessageSplitter reader;
  for (int i = 0; i < 100; ++i) {
    reader.add(std::string(10000, 'x'));
    EXPECT_FALSE(reader.next());
  }
  reader.add("\nContent-Length: 2\r\n\r\n{}");
  EXPECT_EQ(bodiesOf(reader), Bodies{"{}"});
}

TEST(MessageSplitter, MakesWhatItReads) {
  Message message = makeMessage("[\"\xc3\xa9\"]");
  EXPECT_EQ(message.bytes, "Content-Length: 6\r\n\r\n[\"\xc3\xa9\"]");
  EXPECT_EQ(bodiesOf(message.bytes), Bodies{"[\"\xc3\xa9\"]"});
}

TEST(MergeAnswers, AppendsItems) {
  EXPECT_EQ(withItems(R"({"id":1,"result":[A ,B ] })", "[C]"),
            R"({"id":1,"result":[A ,B ,C] })");
  EXPECT_EQ(withItems(R"({"id":1,"result":[ ]})", "[C,D]"),
            R"({"id":1,"result":[C,D]})");
  EXPECT_EQ(withItems(R"({"id":1,"result":null})", "[C]"),
            R"({"id":1,"result":[C]})");
  // No place for them.
  for (const char *body : {R"({"id":1,"result":{"a":1}})",
                           R"({"id":1,"error":{"code":1}})", "nonsense"})
    EXPECT_EQ(withItems(body, "[C]"), body);
  EXPECT_EQ(withItems(R"({"id":1,"result":[A]})", "[]"),
            R"({"id":1,"result":[A]})");
}

TEST(MergeAnswers, AppendsDiagnostics) {
  EXPECT_EQ(
      withDiagnostics(
          R"({"method":"m","params":{"diagnostics":[A],"uri":"u"}})", "[B]"),
      R"({"method":"m","params":{"diagnostics":[A,B],"uri":"u"}})");
  EXPECT_EQ(
      withDiagnostics(R"({"method":"m","params":{"diagnostics":[],"uri":"u"}})",
                      "[B]"),
      R"({"method":"m","params":{"diagnostics":[B],"uri":"u"}})");
}

TEST(MergeAnswers, PutsHoversBelow) {
  const char *ours = R"({"contents":{"kind":"markdown","value":"o\"urs"}})";
  EXPECT_EQ(
      withHover(
          R"({"id":1,"result":{"contents":{"kind":"markdown","value":"t\n"},"range":R}})",
          ours),
      R"({"id":1,"result":{"contents":{"kind":"markdown","value":"t\n\n\n---\no\"urs"},"range":R}})");
  EXPECT_EQ(
      withHover(
          R"({"id":1,"result":{"contents":{"kind":"plaintext","value":"t"}}})",
          ours),
      R"({"id":1,"result":{"contents":{"kind":"plaintext","value":"t\n\no\"urs"}}})");
  EXPECT_EQ(withHover(R"({"id":1,"result":{"contents":"t"}})", ours),
            R"({"id":1,"result":{"contents":"t\n\n---\no\"urs"}})");
  EXPECT_EQ(withHover(R"({"id":1,"result":{"contents":["t",{"a":1}]}})", ours),
            R"({"id":1,"result":{"contents":["t",{"a":1},"o\"urs"]}})");
  EXPECT_EQ(
      withHover(
          R"({"id":1,"result":{"contents":{"language":"cpp","value":"t"}}})",
          ours),
      R"({"id":1,"result":{"contents":[{"language":"cpp","value":"t"},"o\"urs"]}})");
  EXPECT_EQ(withHover(R"({"id":1,"result":null})", ours),
            std::string(R"({"id":1,"result":)") + ours + "}");
  EXPECT_EQ(withHover(R"({"id":1,"error":{}})", ours),
            R"({"id":1,"error":{}})");
}

TEST(MergeAnswers, AddsCapabilitiesThatLack) {
  EXPECT_EQ(
      withCapabilities(
          R"({"id":1,"result":{"capabilities":{"hoverProvider":true,"codeActionProvider":{"a":1}},"serverInfo":{}}})"),
      R"({"id":1,"result":{"capabilities":{"inlayHintProvider":true,"hoverProvider":true,"codeActionProvider":{"a":1}},"serverInfo":{}}})");
  EXPECT_EQ(
      withCapabilities(R"({"id":1,"result":{"capabilities":{}}})"),
      R"({"id":1,"result":{"capabilities":{"hoverProvider":true,"codeActionProvider":true,"inlayHintProvider":true}}})");
  EXPECT_EQ(withCapabilities(R"({"id":1,"error":{}})"),
            R"({"id":1,"error":{}})");
}

std::string published(const char *diagnostics, int version) {
  return R"({"method":"textDocument/publishDiagnostics","params":{"diagnostics":)" +
         std::string(diagnostics) + R"(,"uri":"u","version":)" +
         std::to_string(version) + "}}";
}

TEST(DocumentDiagnostics, TheirsFirst) {
  DocumentDiagnostics document(1);
  EXPECT_FALSE(document.fromClangd(published("[A]", 1)));
  EXPECT_EQ(document.fromUs(published("[B]", 1)), published("[A,B]", 1));
  // A second time for the same version, as after its preamble was built.
  EXPECT_EQ(document.fromClangd(published("[C]", 1)), published("[C,B]", 1));
  EXPECT_EQ(document.fromUs(published("[]", 1)), published("[C]", 1));
  EXPECT_FALSE(document.fromUs(published("[]", 1)));
}

TEST(DocumentDiagnostics, OursFirst) {
  DocumentDiagnostics document(1);
  EXPECT_EQ(document.fromUs(published("[B]", 1)), published("[B]", 1));
  EXPECT_EQ(document.fromClangd(published("[A]", 1)), published("[A,B]", 1));
}

TEST(DocumentDiagnostics, OtherVersionsAreKeptApart) {
  DocumentDiagnostics document(1);
  EXPECT_FALSE(document.fromClangd(published("[A]", 1)));
  EXPECT_EQ(document.fromUs(published("[B]", 1)), published("[A,B]", 1));
  document.setVersion(2);
  // Of the text before the change.
  EXPECT_FALSE(document.fromUs(published("[C]", 1)));
  EXPECT_FALSE(document.fromClangd(published("[D]", 2)));
  EXPECT_EQ(document.fromUs(published("[E]", 2)), published("[D,E]", 2));
  document.setVersion(3);
  // Ours first: clangd's of version 2 are not thrown away for it.
  EXPECT_FALSE(document.fromUs(published("[F]", 3)));
  EXPECT_TRUE(document.isWaiting());
  // A late one of version 2 does not get ours of version 3.
  EXPECT_FALSE(document.fromClangd(published("[D]", 2)));
  EXPECT_TRUE(document.isWaiting());
  EXPECT_EQ(document.fromClangd(published("[G]", 3)), published("[G,F]", 3));
  EXPECT_FALSE(document.isWaiting());
}

TEST(DocumentDiagnostics, WithoutClangd) {
  DocumentDiagnostics document(1);
  EXPECT_FALSE(document.withoutClangd());
  EXPECT_FALSE(document.fromClangd(published("[A]", 1)));
  document.setVersion(2);
  EXPECT_FALSE(document.fromUs(published("[B]", 2)));
  EXPECT_EQ(document.withoutClangd(), published("[B]", 2));
  EXPECT_EQ(document.fromUs(published("[]", 2)), published("[]", 2));
}

TEST(RestartPolicy, GivesUp) {
  RestartPolicy policy;
  Clock::time_point now = Clock::now();
  EXPECT_EQ(policy.afterEnd(now), now);
  EXPECT_GT(policy.afterEnd(now), now);
  EXPECT_GT(policy.afterEnd(now), now);
  EXPECT_FALSE(policy.afterEnd(now));
  // Long ago is forgotten.
  EXPECT_TRUE(policy.afterEnd(now + std::chrono::minutes(4)));
}

void note(SessionState &session, llvm::StringRef body) {
  Message message = makeMessage(body);
  session.note(message, messageParts(message.body()));
}

TEST(SessionState, KnowsTextAfterChanges) {
  SessionState session;
  note(
      session,
      R"({"method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///p/a%20b.cu","languageId":"cuda-cpp","version":3,"text":"one\ntwo\n"}}})");
  note(
      session,
      R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///p/a b.cu","version":4},"contentChanges":[{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"text":"2"},{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":3}},"text":"!"}]}})");
  ASSERT_EQ(session.documents().size(), 1u);
  const SessionDocument &document = session.documents().begin()->second;
  EXPECT_EQ(document.text, "one!\n2\n");
  EXPECT_EQ(document.version, 4);
  EXPECT_EQ(document.uri, "file:///p/a%20b.cu");
  // A range outside of the text, and no JSON.
  note(
      session,
      R"({"method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///p/a b.cu","version":5},"contentChanges":[{"range":{"start":{"line":9,"character":0},"end":{"line":9,"character":3}},"text":"2"}]}})");
  note(session, R"({"method":"textDocument/didChange","params":{{}})");
  EXPECT_EQ(document.text, "one!\n2\n");
  note(
      session,
      R"({"method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///p/a%20b.cu"}}})");
  EXPECT_TRUE(session.documents().empty());
}

TEST(SessionState, PutsSettingsTogether) {
  SessionState session;
  note(session, R"({"method":"initialized","params":{}})");
  for (
      const char *settings :
      {R"({"a":1,"compilationDatabaseChanges":{"/p/x.cu":{"v":1},"/p/y.cu":{"v":1}}})",
       R"({"b":2,"compilationDatabaseChanges":{"/p/x.cu":{"v":2}}})",
       R"({"a":3})"})
    note(
        session,
        R"({"method":"workspace/didChangeConfiguration","params":{"settings":)" +
            std::string(settings) + "}}");
  std::vector<Message> messages = session.beforeDocuments();
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].body(), R"({"method":"initialized","params":{}})");
  llvm::Expected<llvm::json::Value> all = llvm::json::parse(
      jsonMember(messageParts(messages[1].body()).params, "settings"));
  ASSERT_TRUE(bool(all));
  llvm::Expected<llvm::json::Value> expected = llvm::json::parse(
      R"({"a":3,"b":2,"compilationDatabaseChanges":{"/p/x.cu":{"v":2},"/p/y.cu":{"v":1}}})");
  ASSERT_TRUE(bool(expected));
  EXPECT_EQ(*all, *expected);
  EXPECT_TRUE(session.hasCommandOfClient("/p/x.cu"));
  EXPECT_FALSE(session.hasCommandOfClient("/p/z.cu"));
}

using Receiver = ServerAsks::Receiver;

TEST(ServerAsks, AnswersGoToWhoHasAsked) {
  ServerAsks asks;
  asks.fromClangd("0");
  std::string ours = asks.fromService("0");
  EXPECT_NE(ours, "0");
  Receiver receiver = asks.answered(ours);
  EXPECT_EQ(receiver.server, Receiver::Server::Service);
  EXPECT_EQ(receiver.id, "0");
  EXPECT_EQ(asks.answered("0").server, Receiver::Server::Clangd);
  // Nobody has asked: clangd says what it says to that.
  EXPECT_EQ(asks.answered("17").server, Receiver::Server::Clangd);
}

TEST(ServerAsks, AnswersToWhoIsGoneAreDropped) {
  ServerAsks asks;
  asks.fromClangd("0");
  asks.clangdEnded();
  asks.fromClangd("0");
  std::string ours = asks.fromService("1");
  asks.serviceEnded();
  std::string again = asks.fromService("1");
  EXPECT_NE(ours, again);
  EXPECT_EQ(asks.answered("0").server, Receiver::Server::None);
  EXPECT_EQ(asks.answered("0").server, Receiver::Server::Clangd);
  EXPECT_EQ(asks.answered(ours).server, Receiver::Server::None);
  EXPECT_EQ(asks.answered(again).server, Receiver::Server::Service);
}

TEST(ClientRequest, JoinsAnswers) {
  ClientRequest request;
  request.joining = joiningOf("textDocument/codeAction");
  EXPECT_EQ(request.joining, Joining::Items);
  request.ours = R"({"id":9,"result":[{"b":1}]})";
  request.theirs = makeMessage(R"({"id":3,"result":null})");
  EXPECT_EQ(joinedAnswers(request), R"({"id":3,"result":[{"b":1}]})");
  // An error of theirs gives way, but not where nobody waits any more.
  request.theirs = makeMessage(R"({"id":3,"error":{"code":-32001}})");
  EXPECT_EQ(joinedAnswers(request),
            R"({"jsonrpc":"2.0","id":3,"result":[{"b":1}]})");
  for (const char *cancelled : {R"({"id":3,"error":{"code":-32800}})",
                                R"({"id":3,"error":{"code":-32801}})"}) {
    request.theirs = makeMessage(cancelled);
    EXPECT_EQ(joinedAnswers(request), cancelled);
  }
  // One of ours is nothing.
  request.ours = R"({"id":9,"error":{"code":1}})";
  request.theirs = makeMessage(R"({"id":3,"result":[A]})");
  EXPECT_EQ(joinedAnswers(request), R"({"id":3,"result":[A]})");
  EXPECT_EQ(joiningOf("textDocument/hover"), Joining::Hover);
  EXPECT_EQ(joiningOf("textDocument/definition"), Joining::None);
}

} // namespace
