export function ProgressBar({
  label,
  value,
  max,
}: {
  label: string
  value: number | undefined
  max: number
}) {
  const share = value === undefined || max === 0 ? undefined : Math.min(1, value / max)
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className="h-2 w-full overflow-hidden rounded-full bg-raised"
    >
      <div
        style={{ width: `${(share ?? 1) * 100}%` }}
        className={
          share === undefined
            ? 'skeleton h-full'
            : 'h-full rounded-full bg-ink transition-[width] duration-500'
        }
      />
    </div>
  )
}
