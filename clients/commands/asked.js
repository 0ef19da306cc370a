// What the words of a command line ask: METHOD URL, then +follow, +retry, @FILE with the content, and fields as NAME: VALUE.
const [method, url, ...rest] = process.argv.slice(2);
const file = rest.find((word) => word.startsWith("@"));
const fields = rest.filter((word) => !/^[@+]/.test(word)).map((word) => [word.slice(0, word.indexOf(":")), word.slice(word.indexOf(":") + 2)]);
module.exports = {
  method, url, follow: rest.includes("+follow"), retry: rest.includes("+retry"), body: file && require("fs").readFileSync(file.slice(1)), headers: Object.fromEntries(fields),
  give: (content) => process.stdout.write(content),
};
