// SPDX-License-Identifier: Apache-2.0

import ParallaxDocuments
import ParallaxTestSupport
import Testing

/// Every row of the golden tables, which an independent implementation has computed.
@Suite struct LottieGoldenTests {
  /// The rounding error of six decimals; along curves too, where 0.01 px would be allowed.
  static let tolerance = 1e-6

  static let names = (try? namesInFolder(testDataPath("Golden/lottie"))) ?? []

  @Test func allTablesExist() {
    #expect(Self.names.count == 18)
  }

  @Test(arguments: names)
  func rowsEqualTheTable(name: String) throws {
    let name = String(name.dropLast(4))
    let file = try LottieFile(named: name)
    let table = try text(ofFile: testDataPath("Golden/lottie/\(name).csv"))
    let lines = table.split(whereSeparator: \.isNewline)
    #expect(lines[0].split(separator: ",").dropLast(2).map(String.init) == LottieTracks.columns)
    var rows = file.tracks(rateHertz: 30)
    for line in lines.dropFirst() {
      let golden = line.split(separator: ",", omittingEmptySubsequences: false).prefix(19)
        .map { Double($0) ?? .nan }
      let row = rows.next()
      let numbers = try #require(row, "the table has another row: \(line)").numbers
      // The position of the row, then the values.
      #expect(numbers[..<2] == golden[..<2] && numbers[4] == golden[4], "\(line)")
      #expect((numbers[2] - golden[2]).magnitude < 1e-9, "\(line)")
      #expect((numbers[3] - golden[3]).magnitude < 1e-6, "\(line)")
      let deviation = zip(numbers[5...], golden[5...]).map { ($0 - $1).magnitude }.max() ?? 0
      #expect(deviation < Self.tolerance, "\(name): \(line)\nfound \(numbers)")
    }
    let rest = rows.next()
    #expect(rest == nil, "more rows than the table has")
  }
}

extension LottieTracks.Row {
  /// In the order of the columns.
  var numbers: [Double] {
    [
      Double(number), Double(tick), seconds, frame, isVisible ? 1 : 0, position.x, position.y,
      anchor.x, anchor.y, scale.x, scale.y, rotationDegrees, opacity, matrix.a, matrix.b,
      matrix.c, matrix.d, matrix.e, matrix.f,
    ]
  }
}
