// Canvas: what the screen shows. A page (`DocumentView` for A2UI documents, or a `ScreenPage`) lays itself out and
// draws into a `DisplayList` of Graphics; `FramePump` has a worker paint what changed and copy it to the `Display`.
// Input events come from an `InputSource` and go to the page that is shown.
//
// Nothing here paints, and nothing knows the gateway, the network or the kernel. Lengths are pixels after rotation,
// times monotonic milliseconds.
