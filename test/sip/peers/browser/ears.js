/** Measures the sound that a page receives. It has no imports, since it is also injected into pages as text. */
globalThis.ears = (() => {
  const recordedRate = 48_000
  let analyser
  let context
  let received

  function listen(track) {
    received = new MediaStream([track])
    context = new AudioContext()
    analyser = context.createAnalyser()
    analyser.fftSize = 4096
    context.createMediaStreamSource(received).connect(analyser)
  }

  /** The strongest frequency at this moment, and its level. */
  async function peak() {
    if (!analyser) return { hertz: 0, level: -200 }
    const levels = new Float32Array(analyser.frequencyBinCount)
    analyser.getFloatFrequencyData(levels)
    const strongest = levels.reduce((best, level, at) => (level > levels[best] ? at : best), 0)
    // Before a click no browser runs an audio context, and without a sound card Firefox may say that it does.
    if (levels[strongest] === -Infinity) return strongestOf(await recordedSamples(600))
    return { hertz: (strongest * context.sampleRate) / analyser.fftSize, level: levels[strongest] }
  }

  async function recordedSamples(ms) {
    const recorder = new MediaRecorder(received)
    const recorded = new Promise((resolve) => {
      recorder.ondataavailable = ({ data }) => resolve(data)
    })
    recorder.start()
    setTimeout(() => recorder.stop(), ms)
    const bytes = await (await recorded).arrayBuffer()
    // Nothing came in that time, as on hold.
    if (bytes.byteLength === 0) return new Float32Array()
    const decoded = await new OfflineAudioContext(1, 1, recordedRate).decodeAudioData(bytes)
    return decoded.getChannelData(0)
  }

  /** By a correlation with every tenth frequency of speech. */
  function strongestOf(samples) {
    let best = { hertz: 0, level: -200 }
    if (samples.length === 0) return best
    for (let hertz = 200; hertz < 3400; hertz += 10) {
      let [real, imaginary] = [0, 0]
      for (let n = 0; n < samples.length; n += 4) {
        const angle = (2 * Math.PI * hertz * n) / recordedRate
        real += samples[n] * Math.cos(angle)
        imaginary += samples[n] * Math.sin(angle)
      }
      const level = 20 * Math.log10((8 * Math.hypot(real, imaginary)) / samples.length + 1e-10)
      if (level > best.level) best = { hertz, level }
    }
    return best
  }

  return { listen, peak }
})()
