// Apart from the panel: its weight is limited, and most visitors never hear it.

let context: AudioContext | undefined

/** Two soft notes; silent where the browser requires a gesture first. */
export function playNewMessage() {
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') void context.resume().catch(() => undefined)
    playTone(context, 660, 0)
    playTone(context, 880, 0.14)
  } catch {
    return
  }
}

function playTone(audio: AudioContext, frequency: number, after: number) {
  const start = audio.currentTime + after
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  tone.frequency.value = frequency
  volume.gain.setValueAtTime(0.0001, start)
  volume.gain.exponentialRampToValueAtTime(0.12, start + 0.02)
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.3)
  tone.connect(volume).connect(audio.destination)
  tone.start(start)
  tone.stop(start + 0.32)
}
