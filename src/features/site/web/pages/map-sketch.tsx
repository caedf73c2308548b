/** A neighbourhood that stands for any: streets, a park, a river and the marker. */
export function MapSketch({ label }: { label: string }) {
  return (
    <svg
      viewBox="0 0 1180 416"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label={label}
      className="absolute inset-0 h-full w-full"
    >
      <path className="fill-brand-soft" d="M0 0h1180v416H0z" />
      <path className="fill-surface" d="M0 0h1180v300C980 250 820 330 600 306 390 283 180 350 0 310z" />
      <path className="fill-ok-soft" d="M150 60h170l30 110-190 20zM820 150l190-20 20 96-160 26z" />
      <g className="stroke-line" fill="none" strokeWidth="14" strokeLinecap="round">
        <path d="M0 40c300 20 820-30 1180 10M0 150c260 24 540-20 760-6 180 12 300-20 420-10M0 236c200 30 420-10 640 4 210 14 370-26 540-12M110 0l40 330M380 0l10 306M640 0l-26 300M880 0l-20 290M1090 0l-14 280" />
      </g>
      <g className="stroke-line" fill="none" strokeWidth="6">
        <path d="M240 0l20 320M500 0v300M760 0l-16 296M980 0l-6 274M0 94c300 24 800-30 1180 6M0 196c300 24 700-10 1180-14" />
      </g>
      <path
        className="stroke-lamp"
        fill="none"
        strokeWidth="8"
        strokeLinecap="round"
        opacity="0.8"
        d="M0 270c240 30 460-10 660 0 220 12 360-34 520-20"
      />
      <ellipse className="fill-ink" opacity="0.18" cx="590" cy="212" rx="20" ry="6" />
      <path className="fill-brand" d="M590 132a32 32 0 0 1 32 32c0 23-32 48-32 48s-32-25-32-48a32 32 0 0 1 32-32z" />
      <circle className="fill-lamp" cx="590" cy="164" r="14" />
    </svg>
  )
}
