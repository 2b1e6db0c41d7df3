// SPDX-License-Identifier: Apache-2.0

import ParallaxBase

/// The format of a line as the user writes it: `{x:+.1f} {y:+.1f}`. `{{` and `}}` are braces.
struct LineTemplate: Equatable {
  private enum Piece: Equatable {
    case text(String)
    case field(TemplateField, FormatSpec)
  }

  private var pieces: [Piece] = []

  /// The names of the layers whose fields the template has.
  var layers: [String] {
    pieces.compactMap { piece in
      if case .field(.layer(let name, _), _) = piece { name } else { nil }
    }
  }

  /// - Throws: the character, what is wrong with it and what is allowed.
  init(parsing text: String) throws(SettingError) {
    var literal = ""
    var rest = text[...]
    func failure(at index: String.Index, _ problem: String) -> SettingError {
      SettingError(
        "character \(text.distance(from: text.startIndex, to: index) + 1): \(problem)")
    }
    while let character = rest.first {
      let start = rest.startIndex
      rest = rest.dropFirst()
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        literal.append(character)
        rest = rest.dropFirst()
      case "}":
        throw failure(at: start, "'}' without '{'; write }} for a brace")
      case "{":
        guard let end = rest.firstIndex(of: "}") else {
          throw failure(at: start, "'{' without '}'; write {{ for a brace")
        }
        let content = rest[..<end]
        let name = content.prefix { $0 != ":" }
        guard let field = TemplateField(String(name)) else {
          throw failure(at: rest.startIndex, TemplateField.advice(for: String(name)))
        }
        var spec = FormatSpec()
        do {
          spec = try FormatSpec(parsing: content.dropFirst(name.count + 1))
        } catch {
          let place = text.index(rest.startIndex, offsetBy: name.count + 1 + error.offset)
          throw failure(at: place, error.problem)
        }
        guard field.isNumber || (spec.decimals == nil && !spec.padsWithZeros && spec.sign == .minus)
        else {
          throw failure(at: rest.startIndex, "'\(name)' is a word; it takes only [<>^][WIDTH]")
        }
        if !literal.isEmpty { pieces.append(.text(literal)) }
        literal = ""
        pieces.append(.field(field, spec))
        rest = rest[end...].dropFirst()
      default:
        literal.append(character)
      }
    }
    if !literal.isEmpty { pieces.append(.text(literal)) }
  }

  /// Returns the line without its line feed. Control characters from the daemon become `?`. A value that
  /// is unknown is empty.
  func line(of view: StreamView) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .field(let field, let spec):
        switch field.value(in: view) {
        case .number(let value): spec.text(value)
        case .count(let value): spec.text(value)
        case .instant(let value): spec.text(value)
        case .word(let word): spec.text(PrintableText.line(word, replacement: "?"))
        case .unknown: FormatSpec.blank(width: spec.width)
        }
      }
    }.joined()
  }
}

extension FormatSpec {
  /// Returns spaces in the place of a value that is unknown.
  static func blank(width: Int) -> String { String(repeating: " ", count: width) }
}
