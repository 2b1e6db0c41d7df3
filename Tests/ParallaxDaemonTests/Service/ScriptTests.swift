// SPDX-License-Identifier: Apache-2.0

import Testing

/// Conversations with the daemon, in `Scripts`.
struct ScriptTests {
  @Test func everyFileIsRead() throws {
    #expect(try Script.all.get().count > 100)
  }

  @Test(arguments: (try? Script.all.get()) ?? [])
  func theConversationGoesAsWritten(_ script: Script) {
    ScriptRun().perform(script)
  }
}
