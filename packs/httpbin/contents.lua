-- Content of files beside the scenario.

-- A view of one file.
function content(request, kind, file)
  return serve(request, "GET", function() return reply(200, { file = file }, kind) end)
end

slides = {
  slideshow = {
    title = "Sample Slide Show",
    date = "date of publication",
    author = "Yours Truly",
    slides = json.array {
      { type = "all", title = "Wake up to WonderWidgets!" },
      {
        type = "all", title = "Overview",
        items = json.array { "Why <em>WonderWidgets</em> are great", "Who <em>buys</em> WonderWidgets" },
      },
    },
  },
}
