/** All tabs of a browser have one session: the one that sees its end notifies the others. */
const tabs = new BroadcastChannel('session')

let clearScreen = (_keepsInput: boolean) => {}
let isLeaving = false

/** Says how everything that the app shows and keeps is dropped, but for what is being typed if that is to be kept. */
export function clearBy(clear: (keepsInput: boolean) => void): void {
  clearScreen = clear
}

/** Leaves for the sign-in page. Nothing is shown until the browser has it. */
export function leave(address: string, { keepsInput = false } = {}): void {
  if (isLeaving) return
  tabs.postMessage('over')
  drop(keepsInput)
  location.assign(address)
}

/** The server decides again what this address shows; where it cannot be reached, the browser shows nothing of ours. */
export function startAgain(): void {
  if (isLeaving) return
  drop()
  location.reload()
}

function drop(keepsInput = false): void {
  isLeaving = true
  clearScreen(keepsInput)
}

// a browser that kept the page which was left has nothing but an empty one
addEventListener('pageshow', event => {
  if (event.persisted && isLeaving) location.reload()
})

/** Calls back when another tab says that the session is over. Returns what ends that. */
export function whenOver(listener: () => void): () => void {
  tabs.addEventListener('message', listener)
  return () => tabs.removeEventListener('message', listener)
}
