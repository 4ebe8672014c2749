"""A detector: features of two sizes, anchors from a cache of none, boxes decoded, the best kept by suppression."""

import math
from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import normal, uniform

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


class ImageList:
    """Images of one size, and the sizes that they had before they were padded."""

    def __init__(self, tensors: Tensor, image_sizes: List[Tuple[int, int]]) -> None:
        self.tensors = tensors
        self.image_sizes = image_sizes


def batch_images(images: List[Tensor], size_divisible: int = 8) -> ImageList:
    """Pads images to a common size that the stride divides."""
    sizes: List[Tuple[int, int]] = []
    max_h, max_w = 0, 0
    for img in images:
        sizes.append((img.shape[-2], img.shape[-1]))
        max_h = max(max_h, img.shape[-2])
        max_w = max(max_w, img.shape[-1])
    max_h = int(math.ceil(float(max_h) / size_divisible) * size_divisible)
    max_w = int(math.ceil(float(max_w) / size_divisible) * size_divisible)
    batched = images[0].new_full([len(images), images[0].shape[0], max_h, max_w], 0)
    for i in range(len(images)):
        img = images[i]
        batched[i, : img.shape[0], : img.shape[1], : img.shape[2]].copy_(img)
    return ImageList(batched, sizes)


def box_area(boxes: Tensor) -> Tensor:
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def box_iou(boxes1: Tensor, boxes2: Tensor) -> Tensor:
    """The overlap of each with each, (N, M)."""
    lt = torch.max(boxes1[:, None, :2], boxes2[:, :2])
    rb = torch.min(boxes1[:, None, 2:], boxes2[:, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[:, :, 0] * wh[:, :, 1]
    return inter / (box_area(boxes1)[:, None] + box_area(boxes2) - inter)


def nms(boxes: Tensor, scores: Tensor, iou_threshold: float) -> Tensor:
    """The indices of boxes that no better one overlaps, best first."""
    order = torch.argsort(scores, descending=True)
    keep: List[int] = []
    while order.numel() > 0:
        best = int(order[0])
        keep.append(best)
        if order.numel() == 1:
            break
        rest = order[1:]
        iou = box_iou(boxes[best].unsqueeze(0), boxes[rest])[0]
        order = rest[iou <= iou_threshold]
    return torch.tensor(keep, dtype=torch.int64)


def batched_nms(boxes: Tensor, scores: Tensor, idxs: Tensor, iou_threshold: float) -> Tensor:
    """Suppression in each class: classes are moved apart."""
    if boxes.numel() == 0:
        return torch.empty((0,), dtype=torch.int64)
    max_coordinate = boxes.max()
    offsets = idxs.to(boxes) * (max_coordinate + torch.tensor(1).to(boxes))
    return nms(boxes + offsets[:, None], scores, iou_threshold)


def clip_boxes_to_image(boxes: Tensor, size: Tuple[int, int]) -> Tensor:
    dim = boxes.dim()
    boxes_x = boxes[..., 0::2]
    boxes_y = boxes[..., 1::2]
    height, width = size
    boxes_x = boxes_x.clamp(min=0, max=width)
    boxes_y = boxes_y.clamp(min=0, max=height)
    return torch.stack((boxes_x, boxes_y), dim=dim).reshape(boxes.shape)


class BoxCoder:
    def __init__(self, weights: Tuple[float, float, float, float], clip: float = 4.135) -> None:
        self.weights = weights
        self.bbox_xform_clip = clip

    def decode_single(self, rel_codes: Tensor, boxes: Tensor) -> Tensor:
        boxes = boxes.to(rel_codes.dtype)
        widths = boxes[:, 2] - boxes[:, 0]
        heights = boxes[:, 3] - boxes[:, 1]
        ctr_x = boxes[:, 0] + 0.5 * widths
        ctr_y = boxes[:, 1] + 0.5 * heights

        wx, wy, ww, wh = self.weights
        dx = rel_codes[:, 0::4] / wx
        dy = rel_codes[:, 1::4] / wy
        dw = torch.clamp(rel_codes[:, 2::4] / ww, max=self.bbox_xform_clip)
        dh = torch.clamp(rel_codes[:, 3::4] / wh, max=self.bbox_xform_clip)

        pred_ctr_x = dx * widths[:, None] + ctr_x[:, None]
        pred_ctr_y = dy * heights[:, None] + ctr_y[:, None]
        c_to_c_h = 0.5 * (torch.exp(dh) * heights[:, None])
        c_to_c_w = 0.5 * (torch.exp(dw) * widths[:, None])
        return torch.stack(
            (
                pred_ctr_x - c_to_c_w,
                pred_ctr_y - c_to_c_h,
                pred_ctr_x + c_to_c_w,
                pred_ctr_y + c_to_c_h,
            ),
            dim=2,
        ).flatten(1)


class AnchorGenerator(nn.Module):
    __annotations__ = {"cell_anchors": List[Tensor]}

    def __init__(self, sizes, aspect_ratios=((0.5, 1.0, 2.0),)):
        super().__init__()
        self.sizes = sizes
        self.aspect_ratios = aspect_ratios * len(sizes)
        self.cell_anchors = [
            self.generate_anchors(size, ratio)
            for size, ratio in zip(self.sizes, self.aspect_ratios)
        ]

    def generate_anchors(self, scales: List[int], aspect_ratios: List[float]) -> Tensor:
        scales = torch.as_tensor(scales, dtype=torch.float32)
        aspect_ratios = torch.as_tensor(aspect_ratios, dtype=torch.float32)
        h_ratios = torch.sqrt(aspect_ratios)
        w_ratios = 1 / h_ratios
        ws = (w_ratios[:, None] * scales[None, :]).view(-1)
        hs = (h_ratios[:, None] * scales[None, :]).view(-1)
        return (torch.stack([-ws, -hs, ws, hs], dim=1) / 2).round()

    def num_anchors_per_location(self) -> List[int]:
        return [len(s) * len(a) for s, a in zip(self.sizes, self.aspect_ratios)]

    def grid_anchors(self, grid_sizes: List[List[int]], strides: List[List[int]]) -> List[Tensor]:
        anchors: List[Tensor] = []
        cell_anchors = self.cell_anchors
        torch._assert(
            len(grid_sizes) == len(strides) == len(cell_anchors),
            "there must be one set of anchors for each feature map",
        )
        for size, stride, base_anchors in zip(grid_sizes, strides, cell_anchors):
            grid_height, grid_width = size
            stride_height, stride_width = stride
            device = base_anchors.device
            shifts_x = torch.arange(0, grid_width, dtype=torch.int32, device=device) * stride_width
            shifts_y = (
                torch.arange(0, grid_height, dtype=torch.int32, device=device) * stride_height
            )
            shift_y, shift_x = torch.meshgrid(shifts_y, shifts_x, indexing="ij")
            shift_x = shift_x.reshape(-1)
            shift_y = shift_y.reshape(-1)
            shifts = torch.stack((shift_x, shift_y, shift_x, shift_y), dim=1)
            anchors.append((shifts.view(-1, 1, 4) + base_anchors.view(1, -1, 4)).reshape(-1, 4))
        return anchors

    def forward(self, image_list: ImageList, feature_maps: List[Tensor]) -> List[Tensor]:
        grid_sizes = [feature_map.shape[-2:] for feature_map in feature_maps]
        image_size = image_list.tensors.shape[-2:]
        strides = [[image_size[0] // g[0], image_size[1] // g[1]] for g in grid_sizes]
        anchors_over_all_feature_maps = self.grid_anchors(grid_sizes, strides)
        anchors: List[Tensor] = []
        for _ in range(len(image_list.image_sizes)):
            anchors_in_image = [
                anchors_per_map for anchors_per_map in anchors_over_all_feature_maps
            ]
            anchors.append(torch.cat(anchors_in_image))
        return anchors


def permute_and_flatten(layer: Tensor, columns: int) -> Tensor:
    N, _, H, W = layer.shape
    layer = layer.view(N, -1, columns, H, W).permute(0, 3, 4, 1, 2)
    return layer.reshape(N, -1, columns)


class RetinaHead(nn.Module):
    def __init__(self, channels: int, num_anchors: int, num_classes: int):
        super().__init__()
        self.num_classes = num_classes
        self.conv = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU())
        self.cls_logits = nn.Conv2d(channels, num_anchors * num_classes, 3, padding=1)
        self.bbox_reg = nn.Conv2d(channels, num_anchors * 4, 3, padding=1)

    def forward(self, x: List[Tensor]) -> Dict[str, Tensor]:
        logits: List[Tensor] = []
        boxes: List[Tensor] = []
        for features in x:
            hidden = self.conv(features)
            logits.append(permute_and_flatten(self.cls_logits(hidden), self.num_classes))
            boxes.append(permute_and_flatten(self.bbox_reg(hidden), 4))
        return {"cls_logits": torch.cat(logits, dim=1), "bbox_regression": torch.cat(boxes, dim=1)}


class RetinaNet(nn.Module):
    def __init__(self, channels: int = 4, num_classes: int = 3, topk_candidates: int = 12):
        super().__init__()
        self.stem = nn.Conv2d(3, channels, 3, 4, 1)
        self.down = nn.Conv2d(channels, channels, 3, 2, 1)
        self.anchor_generator = AnchorGenerator(((6,), (12,)))
        num_anchors = self.anchor_generator.num_anchors_per_location()[0]
        self.head = RetinaHead(channels, num_anchors, num_classes)
        self.box_coder = BoxCoder(weights=(1.0, 1.0, 1.0, 1.0))
        self.score_thresh = 0.3
        self.nms_thresh = 0.4
        self.detections_per_img = 6
        self.topk_candidates = topk_candidates
        self.num_classes = num_classes

    def postprocess(
        self, outputs: Dict[str, Tensor], anchors: List[Tensor], image_shapes: List[Tuple[int, int]]
    ) -> List[Dict[str, Tensor]]:
        class_logits = outputs["cls_logits"]
        box_regression = outputs["bbox_regression"]
        detections: List[Dict[str, Tensor]] = []
        for index, image_shape in enumerate(image_shapes):
            scores = torch.sigmoid(class_logits[index]).flatten()
            keep = scores > self.score_thresh
            scores = scores[keep]
            topk_idxs = torch.where(keep)[0]
            num_topk = min(self.topk_candidates, topk_idxs.size(0))
            scores, idxs = scores.topk(num_topk)
            topk_idxs = topk_idxs[idxs]
            anchor_idxs = torch.div(topk_idxs, self.num_classes, rounding_mode="floor")
            labels = topk_idxs % self.num_classes
            boxes = self.box_coder.decode_single(
                box_regression[index][anchor_idxs], anchors[index][anchor_idxs]
            )
            boxes = clip_boxes_to_image(boxes, image_shape)
            keep = batched_nms(boxes, scores, labels, self.nms_thresh)
            keep = keep[: self.detections_per_img]
            detections.append(
                {"boxes": boxes[keep], "scores": scores[keep], "labels": labels[keep]}
            )
        return detections

    def forward(
        self, images: List[Tensor], targets: Optional[List[Dict[str, Tensor]]] = None
    ) -> Tuple[Dict[str, Tensor], List[Dict[str, Tensor]]]:
        if self.training:
            if targets is None:
                torch._assert(False, "targets should not be none when in training mode")
        for img in images:
            val = img.shape[-2:]
            torch._assert(
                len(val) == 2,
                f"expecting the last two dimensions to be H and W instead got {img.shape[-2:]}",
            )
        batch = batch_images(images)
        first = F.relu(self.stem(batch.tensors))
        features = [first, F.relu(self.down(first))]
        head_outputs = self.head(features)
        anchors = self.anchor_generator(batch, features)
        detections = self.postprocess(head_outputs, anchors, batch.image_sizes)
        losses: Dict[str, Tensor] = {}
        return losses, detections


def make():
    return RetinaNet()


CALLS = [
    ([normal(0, 3, 16, 16), uniform(1, 3, 16, 14)],),
    ([normal(2, 3, 16, 16), uniform(3, 3, 12, 16)],),
    ([normal(4, 3, 24, 16)],),
]
