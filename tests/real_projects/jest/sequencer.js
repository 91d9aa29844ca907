// Runs the files of the suite in the order of their paths. jest's own order is that of their last
// durations.
const { default: Sequencer } = require("@jest/test-sequencer");

module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
};
