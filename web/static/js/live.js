// What the referee publishes: by events where a stream is free, else by asking for the snapshot.

const POLL_MS = 1500;
const RETRY_STREAM_MS = 30000;

/** Calls `onSnapshot(snapshot)` for every news and `onLink(connected)` when the connection comes or goes. */
export function connect(onSnapshot, onLink) {
  let current = null;
  let polling = null;

  const take = (snapshot) => {
    current = snapshot;
    onLink(true);
    onSnapshot(snapshot);
  };

  function stream() {
    const source = new EventSource("/api/events");
    source.addEventListener("snapshot", (event) => {
      stopPolling();
      take(JSON.parse(event.data));
    });
    source.addEventListener("tick", (event) => {
      if (current) take({ ...current, ...JSON.parse(event.data) });
    });
    source.addEventListener("error", () => {
      // CONNECTING: the stream has had its time and the browser opens it again by itself.
      if (source.readyState === EventSource.CONNECTING) {
        startPolling();
        return;
      }
      source.close();
      startPolling();
      setTimeout(stream, RETRY_STREAM_MS);
    });
  }

  async function poll() {
    try {
      const answer = await fetch(`/api/snapshot?after=${current?.seq ?? -1}`);
      if (answer.status === 200) take(await answer.json());
      else if (answer.status === 204) onLink(true);
      else onLink(false);
    } catch {
      onLink(false);
    }
    if (polling !== null) polling = setTimeout(poll, POLL_MS);
  }

  function startPolling() {
    if (polling === null) polling = setTimeout(poll, 0);
  }

  function stopPolling() {
    clearTimeout(polling);
    polling = null;
  }

  stream();
}
