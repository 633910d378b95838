/* Search without a server: a page that was opened from disk may not start workers, so the search
 * runs in a hidden frame instead. The name of this file keeps the theme from fetching its own. */
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.ready = new Promise((done) => (this.inside.ready = done));
      this.inside.answer = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const page = this.inside.document;
      page.open();
      page.write(
        "<script>postMessage = (data) => answer(data)</script>",
        `<script src="${url}"></script><script>ready()</script>`,
      );
      page.close();
    }

    postMessage(data) {
      this.ready.then(() => {
        const { inside } = this;
        inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      });
    }
  };
