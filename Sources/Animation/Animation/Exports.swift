// SPDX-License-Identifier: Apache-2.0

// Offsets, Bézier curves and instants are types of these modules. A program that imports this one sees
// them and their members, also with the feature MemberImportVisibility, for which exports of single types
// do not suffice.
@_exported public import ParallaxBase
@_exported public import ParallaxMotion
