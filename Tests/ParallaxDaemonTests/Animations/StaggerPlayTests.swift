// SPDX-License-Identifier: Apache-2.0

import ParallaxDaemon
import ParallaxTestSupport
import Testing

/// An animation on several layers: one play with one end.
struct StaggerPlayTests {
  private static let deal =
    #""id":"deal","document":{"parallax":1,"stagger":{"layers":["sky","card"],"delay":0.5},"#
    + #""animation":{"move":{"by":[0,8]},"duration":1,"curve":"linear"}}"#

  private func rig() throws -> (rig: Rig, client: Client, control: Client) {
    let rig = try Rig.animated(["layers=sky=0.1,card=1"])
    let (client, control) = (rig.subscribe(), rig.control())
    _ = client.lines()
    return (rig, client, control)
  }

  @Test func theLayersFollowEachOther() throws {
    let (rig, client, control) = try rig()
    #expect(
      control.ask(#"{"class":"PLAY","tag":7,\#(Self.deal)}"#).map(\.text) == [
        #"{"class":"ACK","tag":7,"id":"deal"}"#,
        #"{"class":"ANIMATION","tag":7,"id":"deal","event":"started"}"#,
      ])
    rig.run(seconds: 1)
    let middle = try #require(client.frames().last)
    let (sky, card) = (middle.layer("sky")?.y ?? .nan, middle.layer("card")?.y ?? .nan)
    #expect(sky - card == 4 && card > 0, "\(middle.text)")
    rig.run(seconds: 1)
    let last = try #require(client.frames().last)
    #expect(last.layer("sky")?.y == 8 && last.layer("card")?.y == 8)
    // One end, when the last layer has ended.
    #expect(
      control.lines().map(\.text).last
        == #"{"class":"ANIMATION","tag":7,"id":"deal","event":"completed","position":"end"}"#)
    #expect(control.ask(#"{"class":"STOP","id":"deal"}"#).count == 1)
    rig.run(seconds: 1)
    #expect(client.frames().last?.layer("card")?.y == 0)
  }

  /// The end of the connection cancels all layers.
  @Test func theConnectionEndsAllOfThem() throws {
    let (rig, client, control) = try rig()
    _ = control.ask(#"{"class":"PLAY",\#(Self.deal)}"#)
    rig.run(seconds: 1.2)
    control.hangUp()
    rig.run(seconds: 2)
    let last = try #require(client.frames().last)
    #expect(last.layer("sky")?.y == 0 && last.layer("card")?.y == 0)
  }

  /// A layer that the request names plays alone.
  @Test func aNamedLayerPlaysAlone() throws {
    let (rig, client, control) = try rig()
    _ = control.ask(#"{"class":"PLAY","layer":"card",\#(Self.deal)}"#)
    rig.run(seconds: 1)
    let last = try #require(client.frames().last)
    #expect(last.layer("sky")?.y == 0 && last.layer("card")?.y == 8)
  }

  /// The values of a request reach the document.
  @Test func variablesAreGivenAtPlay() throws {
    let (rig, client, control) = try rig()
    let document =
      #""document":{"parallax":1,"variables":{"far":3},"animation":{"move":{"by":["$far",0]},"duration":0.1}}"#
    _ = control.ask(#"{"class":"PLAY","variables":{"far":9},\#(document)}"#)
    rig.run(seconds: 1)
    #expect(client.frames().last?.x == 9)
    let wrong = control.ask(#"{"class":"PLAY","variables":{"fra":9},\#(document)}"#)
    #expect(
      wrong.last?.text.contains(#"$.variables.fra: unknown variable; did you mean \"far\"?"#)
        == true, "\(wrong)")
    let shape = control.ask(#"{"class":"PLAY","variables":[1],\#(document)}"#)
    #expect(shape.last?.text.contains("$.variables: expected an object, got an array") == true)
  }

  /// OFFSET has `scale_y` only where it differs.
  @Test func twoScalesAreSent() throws {
    let (rig, client, control) = try rig()
    _ = control.ask(
      #"{"class":"PLAY","document":{"parallax":1,"animation":{"scale":{"to":[2,0.5]},"duration":1,"curve":"linear"}}}"#
    )
    rig.run(seconds: 2)
    let frames = client.frames()
    #expect(frames.first?.number("scale_y") == nil || frames.first?.number("scale") != 1)
    let last = try #require(frames.last)
    #expect(last.number("scale") == 2 && last.number("scale_y") == 0.5)
    _ = control.ask(
      #"{"class":"PLAY","document":{"parallax":1,"animation":{"scale":{"to":2},"duration":0.1}}}"#)
    _ = control.ask(#"{"class":"STOP"}"#)
    rig.run(seconds: 2)
    let end = try #require(client.frames().last)
    #expect(end.number("scale_y") == nil && end.number("scale") == 1)
  }
}
