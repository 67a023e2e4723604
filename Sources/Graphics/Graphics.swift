// Graphics: paints. A `DisplayList` of draw commands goes through a `Painter` into a `PixelBuffer`, which is copied to
// a `Display`, whole or where `DamageFinder` saw a change. `Vector` has the 2D context of scripts and SVG; `Markup` the
// reader of tags that SVG and HTML share; `Pattern` regular expressions, whose matching must be as fast as painting.
//
// Fonts, image decoders and displays are protocols, which Board implements. Nothing here knows A2UI, widgets, pages or
// input. It goes over every pixel and is compiled for speed; Canvas, which lays out and reacts, for size.
