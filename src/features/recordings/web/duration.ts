/** Minutes and seconds, with hours where there are some: 3:05, 1:02:09. */
export function formatDuration(seconds: number) {
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
